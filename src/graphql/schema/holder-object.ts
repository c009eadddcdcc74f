import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLFieldConfigMap, GraphQLNullableType, GraphQLOutputType } from 'graphql';
import { FILE_UID } from '../../content-types/builtin/registry.js';
import type { Attribute, AttributeHolder, ComponentAttribute, ContentType, MediaAttribute, RelationAttribute, ScalarAttribute, Uid } from '../../model/model.js';
import { isContentType, LOCALIZATIONS, RELATED } from '../../query/holder-fields.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { resolvePopulated } from '../resolvers/populated-field.js';
import { fieldNameOf } from '../names.js';
import { SORT_ARG } from './fixed-types.js';
import { holderExtensions } from './type-book.js';
import { switchedOn } from './switches.js';
import type { TypeBook } from './type-book.js';

type Field = GraphQLFieldConfig<unknown, GraphqlContext>;
type Fields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

const listArguments = (book: TypeBook, holder: AttributeHolder): GraphQLFieldConfigArgumentMap => ({
  filters: { type: book.filters(holder) },
  pagination: { type: book.paginationArg, defaultValue: {} },
  sort: SORT_ARG,
});

const orRequired = <T extends GraphQLNullableType & GraphQLOutputType>(type: T, required: boolean): T | GraphQLNonNull<T> => (required ? new GraphQLNonNull(type) : type);

const scalarField = (book: TypeBook, holder: AttributeHolder, attribute: ScalarAttribute): Field => {
  const own = attribute.type === 'enumeration' ? book.enumeration(holder, attribute) : book.scalar(attribute.field.graphql.output);
  const { name } = attribute;
  // Passwords: whatever record a resolver of the project's own answers, its hash stays here.
  if (!attribute.field.filterable) return { type: own, resolve: () => null };
  const type = orRequired(own, attribute.required);
  return fieldNameOf(name) === name ? { type } : { type, resolve: (record) => Reflect.get(record as object, name) };
};

/** A list of documents, flat and under `nodes`. The few versions of a single type are not narrowed. */
const listFields = (book: TypeBook, name: string, attribute: string, target: ContentType): Fields => {
  const args = target.kind === 'singleType' ? {} : listArguments(book, target);
  return {
    [name]: { type: new GraphQLNonNull(new GraphQLList(book.object(target))), args, resolve: resolvePopulated(attribute, 'list') },
    [`${name}_connection`]: { type: book.relationConnection(target), args, resolve: resolvePopulated(attribute, 'connection') },
  };
};

const linkFields = (book: TypeBook, name: string, attribute: RelationAttribute | MediaAttribute, uid: Uid): Fields => {
  const target = book.model.typesByUid[uid];
  if (target === undefined || !book.switches.hasHolder(target)) return {};
  if (attribute.many) return listFields(book, name, attribute.name, target);
  return { [name]: { type: orRequired(book.object(target), attribute.required), resolve: resolvePopulated(attribute.name, 'one') } };
};

const morphField = (book: TypeBook, name: string, attribute: RelationAttribute): Fields => {
  const type = attribute.many ? new GraphQLList(book.genericMorph()) : book.genericMorph();
  return { [name]: { type, resolve: resolvePopulated(attribute.name, 'one') } };
};

const componentField = (book: TypeBook, name: string, attribute: ComponentAttribute): Fields => {
  const component = book.model.componentsByUid[attribute.component];
  if (component === undefined || !book.switches.hasHolder(component)) return {};
  const object = book.object(component);
  if (!attribute.repeatable) return { [name]: { type: orRequired(object, attribute.required), resolve: resolvePopulated(attribute.name, 'one') } };
  return { [name]: { type: orRequired(new GraphQLList(object), attribute.required), args: listArguments(book, component), resolve: resolvePopulated(attribute.name, 'list') } };
};

const attributeFields = (book: TypeBook, holder: AttributeHolder, attribute: Attribute): Fields => {
  const name = fieldNameOf(attribute.name);
  if (name === null || attribute.private || !book.switches.hasOutput(holder, attribute.name)) return {};
  switch (attribute.family) {
    case 'scalar': return { [name]: scalarField(book, holder, attribute) };
    case 'relation': return attribute.target === null ? morphField(book, name, attribute) : linkFields(book, name, attribute, attribute.target);
    case 'media': return linkFields(book, name, attribute, attribute.target);
    case 'component': return componentField(book, name, attribute);
    case 'dynamiczone': return { [name]: { type: orRequired(new GraphQLList(book.zone(holder, attribute)), attribute.required), resolve: resolvePopulated(attribute.name, 'one') } };
    default: return {};
  }
};

/** The documents that show a file: no attribute of its own, but read from theirs. */
const fileFields = (book: TypeBook, holder: AttributeHolder): Fields =>
  (holder.uid === FILE_UID ? { [RELATED]: { type: new GraphQLList(book.genericMorph()), resolve: resolvePopulated(RELATED, 'one') } } : {});

const systemFields = (book: TypeBook, holder: AttributeHolder): Fields => {
  const id = { type: new GraphQLNonNull(GraphQLID) };
  if (!isContentType(holder)) return { id };
  const time = { type: book.scalar('DateTime') };
  const own = { documentId: id, createdAt: time, updatedAt: time, publishedAt: time };
  return holder.localized ? { ...own, locale: { type: book.scalar('String') }, ...listFields(book, LOCALIZATIONS, LOCALIZATIONS, holder) } : own;
};

/** `Article`, `ComponentSharedSeo`: what is shown of a document or component. Private attributes do not exist; passwords are always null. */
export function buildHolderObject(book: TypeBook, holder: AttributeHolder, name: string): GraphQLObjectType {
  return new GraphQLObjectType<unknown, GraphqlContext>({
    name,
    extensions: holderExtensions(holder),
    fields: () => Object.assign(switchedOn(systemFields(book, holder), (field) => book.switches.hasOutput(holder, field.replace(/_connection$/, ''))), fileFields(book, holder), ...Object.values(holder.attributes).map((attribute) => attributeFields(book, holder, attribute))) as Fields,
  });
}
