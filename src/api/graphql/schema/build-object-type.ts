import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type {
  GraphQLFieldConfig,
  GraphQLFieldConfigArgumentMap,
  GraphQLFieldConfigMap,
  GraphQLNullableType,
  GraphQLOutputType,
} from 'graphql';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import { componentOf, typeOf } from '../../../model/lookup.js';
import type {
  Attribute,
  ContentSchema,
  ComponentAttribute,
  ContentType,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  Uid,
} from '../../../model/model.js';
import { isContentType, LOCALIZATIONS, RELATED, showsField } from '../../../query/schema-fields.js';
import type { GraphqlContext } from '../graphql-context.js';
import { resolvePopulated } from '../fields/populated-field.js';
import { fieldNameOf } from '../field-names.js';
import { SORT_ARG } from './fixed-types.js';
import { contentSchemaExtensions, filterEnabled } from './type-registry.js';
import type { TypeRegistry } from './type-registry.js';

type Field = GraphQLFieldConfig<unknown, GraphqlContext>;
type Fields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

const listArguments = (
  registry: TypeRegistry,
  contentSchema: ContentSchema,
): GraphQLFieldConfigArgumentMap => ({
  filters: { type: registry.filters(contentSchema) },
  pagination: { type: registry.paginationArg, defaultValue: {} },
  sort: SORT_ARG,
});

const withRequired = <T extends GraphQLNullableType & GraphQLOutputType>(
  type: T,
  required: boolean,
): T | GraphQLNonNull<T> => (required ? new GraphQLNonNull(type) : type);

/**
 * Returns the field of an enumeration. A stored value that the enumeration lacks, such as after a migration,
 * is null. If the attribute is required, the type prints the value instead, so that it does not fail the
 * response.
 */
const enumerationField = (
  type: GraphQLNullableType & GraphQLOutputType,
  attribute: ScalarAttribute,
): Field => {
  const { name, required, constraints } = attribute;
  const values: readonly unknown[] = constraints.enum ?? [];
  return {
    type: withRequired(type, required),
    resolve: (record: unknown) => {
      const value: unknown = Reflect.get(record as object, name);
      return required || values.includes(value) ? value : null;
    },
  };
};

/** Passwords are always null, even if a project's resolver returns a record with the hash. */
const resolveHidden = (): null => null;

/** Converts a time that REST prints in milliseconds. Records of project code may have other formats. */
const resolveMilliseconds =
  (name: string) =>
  (record: unknown): unknown => {
    const value: unknown = Reflect.get(record as object, name);
    return typeof value === 'string' && /^-?\d+$/.test(value) ? new Date(Number(value)) : value;
  };

const scalarField = (
  registry: TypeRegistry,
  contentSchema: ContentSchema,
  attribute: ScalarAttribute,
): Field => {
  const nullableType =
    attribute.type === 'enumeration'
      ? registry.enumeration(contentSchema, attribute)
      : registry.scalar(attribute.field.graphql.output);
  const { name } = attribute;
  if (attribute.type === 'enumeration') return enumerationField(nullableType, attribute);
  if (!attribute.field.filterable) return { type: nullableType, resolve: resolveHidden };
  const type = withRequired(nullableType, attribute.required);
  if (attribute.field.printsMilliseconds === true) return { type, resolve: resolveMilliseconds(name) };
  return fieldNameOf(name) === name
    ? { type }
    : { type, resolve: (record: unknown): unknown => Reflect.get(record as object, name) };
};

/**
 * Returns the two fields of a list of documents: the list, and the connection with `nodes`. Lists of a single
 * type's versions are short and have no arguments.
 */
const listFields = (registry: TypeRegistry, name: string, attribute: string, target: ContentType): Fields => {
  const args = target.kind === 'singleType' ? {} : listArguments(registry, target);
  return {
    [name]: {
      type: new GraphQLNonNull(new GraphQLList(registry.object(target))),
      args,
      resolve: resolvePopulated(attribute, 'list'),
    },
    [`${name}_connection`]: {
      type: registry.relationConnection(target),
      args,
      resolve: resolvePopulated(attribute, 'connection'),
    },
  };
};

const relationFields = (
  registry: TypeRegistry,
  name: string,
  attribute: RelationAttribute | MediaAttribute,
  uid: Uid,
): Fields => {
  const target = typeOf(registry.model, uid);
  if (!registry.switches.hasType(target)) return {};
  if (attribute.many) return listFields(registry, name, attribute.name, target);
  return {
    [name]: {
      type: withRequired(registry.object(target), attribute.required),
      resolve: resolvePopulated(attribute.name, 'one'),
    },
  };
};

const morphField = (registry: TypeRegistry, name: string, attribute: RelationAttribute): Fields => {
  const type = attribute.many ? new GraphQLList(registry.genericMorph()) : registry.genericMorph();
  return { [name]: { type, resolve: resolvePopulated(attribute.name, 'one') } };
};

const componentField = (registry: TypeRegistry, name: string, attribute: ComponentAttribute): Fields => {
  const component = componentOf(registry.model, attribute.component);
  if (!registry.switches.hasType(component)) return {};
  const object = registry.object(component);
  if (!attribute.repeatable)
    return {
      [name]: {
        type: withRequired(object, attribute.required),
        resolve: resolvePopulated(attribute.name, 'one'),
      },
    };
  return {
    [name]: {
      type: withRequired(new GraphQLList(object), attribute.required),
      args: listArguments(registry, component),
      resolve: resolvePopulated(attribute.name, 'list'),
    },
  };
};

const attributeFields = (
  registry: TypeRegistry,
  contentSchema: ContentSchema,
  attribute: Attribute,
): Fields => {
  const name = fieldNameOf(attribute.name);
  if (name === null || attribute.private || !registry.switches.hasOutput(contentSchema, attribute.name))
    return {};
  switch (attribute.family) {
    case 'scalar':
      return { [name]: scalarField(registry, contentSchema, attribute) };
    case 'relation':
      return attribute.target === null
        ? morphField(registry, name, attribute)
        : relationFields(registry, name, attribute, attribute.target);
    case 'media':
      return relationFields(registry, name, attribute, attribute.target);
    case 'component':
      return componentField(registry, name, attribute);
    case 'dynamiczone':
      return {
        [name]: {
          type: withRequired(new GraphQLList(registry.zone(contentSchema, attribute)), attribute.required),
          resolve: resolvePopulated(attribute.name, 'one'),
        },
      };
    default:
      return {};
  }
};

/**
 * Returns the field of the documents that refer to a file. They are read from the media attributes of all
 * types.
 */
const fileFields = (registry: TypeRegistry, contentSchema: ContentSchema): Fields =>
  contentSchema.uid === FILE_UID
    ? {
        [RELATED]: {
          type: new GraphQLList(registry.genericMorph()),
          resolve: resolvePopulated(RELATED, 'one'),
        },
      }
    : {};

const systemFields = (registry: TypeRegistry, contentSchema: ContentSchema): Fields => {
  const id = { type: new GraphQLNonNull(GraphQLID) };
  if (!isContentType(contentSchema)) return { id };
  const time = { type: registry.scalar('DateTime') };
  const commonFields = { documentId: id, createdAt: time, updatedAt: time, publishedAt: time };
  return contentSchema.localized
    ? {
        ...commonFields,
        locale: { type: registry.scalar('String') },
        ...listFields(registry, LOCALIZATIONS, LOCALIZATIONS, contentSchema),
      }
    : commonFields;
};

/**
 * Builds `Article` or `ComponentSharedSeo`: the output of a document or component, without private
 * attributes.
 */
export function buildObjectType(
  registry: TypeRegistry,
  contentSchema: ContentSchema,
  name: string,
): GraphQLObjectType {
  return new GraphQLObjectType<unknown, GraphqlContext>({
    name,
    extensions: contentSchemaExtensions(contentSchema),
    fields: () =>
      Object.assign(
        filterEnabled(systemFields(registry, contentSchema), (field) => {
          const shown = field.replace(/_connection$/, '');
          return showsField(contentSchema, shown) && registry.switches.hasOutput(contentSchema, shown);
        }),
        fileFields(registry, contentSchema),
        ...Object.values(contentSchema.attributes).map((attribute) =>
          attributeFields(registry, contentSchema, attribute),
        ),
      ) as Fields,
  });
}
