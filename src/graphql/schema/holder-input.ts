import { GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLInputFieldConfigMap, GraphQLInputType } from 'graphql';
import type { Attribute, AttributeHolder } from '../../model/model.js';
import { isContentType } from '../../query/holder-fields.js';
import { fieldNameOf } from '../names.js';
import type { TypeBook } from './type-book.js';

const inputOf = (book: TypeBook, holder: AttributeHolder, attribute: Attribute): GraphQLInputType | null => {
  switch (attribute.family) {
    case 'scalar': return attribute.type === 'enumeration' ? book.enumeration(holder, attribute) : book.scalar(attribute.field.graphql.input);
    case 'relation': {
      if (attribute.target === null) return book.scalar('JSON');
      return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID;
    }
    case 'media': return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID;
    case 'component': {
      const component = book.model.componentsByUid[attribute.component];
      if (component === undefined) return null;
      return attribute.repeatable ? new GraphQLList(book.input(component)) : book.input(component);
    }
    case 'dynamiczone': return new GraphQLList(new GraphQLNonNull(book.zoneInput(holder, attribute)));
    default: return null;
  }
};

const attributeInputs = (book: TypeBook, holder: AttributeHolder): GraphQLInputFieldConfigMap => Object.fromEntries(Object.values(holder.attributes).flatMap((attribute) => {
  const name = fieldNameOf(attribute.name);
  const type = name === null ? null : inputOf(book, holder, attribute);
  return name === null || type === null ? [] : [[name, { type }]];
}));

const systemInputs = (book: TypeBook, holder: AttributeHolder): GraphQLInputFieldConfigMap => {
  if (!isContentType(holder)) return { id: { type: GraphQLID } };
  const publishedAt = { type: book.scalar('DateTime') };
  // The language of a localised document is an argument; here it would say nothing.
  return holder.localized ? { publishedAt } : { publishedAt, locale: { type: GraphQLString } };
};

/** `ArticleInput`: what may be written, private attributes and passwords included. Nothing is required: drafts are, and updates are partial. */
export function buildHolderInput(book: TypeBook, holder: AttributeHolder, name: string): GraphQLInputObjectType {
  return new GraphQLInputObjectType({ name, fields: () => ({ ...systemInputs(book, holder), ...attributeInputs(book, holder) }) });
}
