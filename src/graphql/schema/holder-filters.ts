import { GraphQLInputObjectType, GraphQLList } from 'graphql';
import type { GraphQLInputFieldConfigMap } from 'graphql';
import type { Attribute, AttributeHolder } from '../../model/model.js';
import { isContentType, LOCALIZATIONS } from '../../query/holder-fields.js';
import { fieldNameOf } from '../names.js';
import { switchedOn } from './switches.js';
import type { TypeBook } from './type-book.js';

const filterOf = (book: TypeBook, attribute: Attribute): GraphQLInputObjectType | null => {
  switch (attribute.family) {
    case 'scalar': return attribute.field.graphql.filter === null ? null : book.scalarFilter(attribute.field.graphql.filter);
    case 'relation': {
      const target = attribute.target === null ? undefined : book.model.typesByUid[attribute.target];
      return target === undefined || !book.switches.hasHolder(target) ? null : book.filters(target);
    }
    case 'component': {
      const component = book.model.componentsByUid[attribute.component];
      return component === undefined || !book.switches.hasHolder(component) ? null : book.filters(component);
    }
    default: return null;
  }
};

const attributeFilters = (book: TypeBook, holder: AttributeHolder): GraphQLInputFieldConfigMap => Object.fromEntries(Object.values(holder.attributes).flatMap((attribute) => {
  const name = fieldNameOf(attribute.name);
  const type = name === null || attribute.private || !book.switches.hasFilters(holder, attribute.name) ? null : filterOf(book, attribute);
  return name === null || type === null ? [] : [[name, { type }]];
}));

const systemFilters = (book: TypeBook, holder: AttributeHolder): GraphQLInputFieldConfigMap => {
  if (!isContentType(holder)) return {};
  const time = { type: book.scalarFilter('DateTimeFilterInput') };
  const localized = { locale: { type: book.scalarFilter('StringFilterInput') }, [LOCALIZATIONS]: { type: book.filters(holder) } };
  return { documentId: { type: book.scalarFilter('IDFilterInput') }, createdAt: time, updatedAt: time, publishedAt: time, ...(holder.localized ? localized : {}) };
};

/** `ArticleFiltersInput`: conditions on attributes, on what they link or hold, and logic around them. */
export function buildHolderFilters(book: TypeBook, holder: AttributeHolder, name: string): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: (): GraphQLInputFieldConfigMap => ({
      ...switchedOn(systemFilters(book, holder), (field) => book.switches.hasFilters(holder, field)),
      ...attributeFilters(book, holder),
      and: { type: new GraphQLList(type) },
      or: { type: new GraphQLList(type) },
      not: { type },
    }),
  });
  return type;
}
