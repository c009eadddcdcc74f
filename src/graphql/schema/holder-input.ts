import { GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLInputFieldConfigMap, GraphQLInputType } from 'graphql';
import type { Attribute, AttributeHolder, Uid } from '../../model/model.js';
import { isContentType } from '../../query/holder-fields.js';
import { fieldNameOf } from '../names.js';
import { switchedOn } from './switches.js';
import type { TypeBook } from './type-book.js';

/** Whether there is anything to link. */
const isShown = ({ model, switches }: TypeBook, uid: Uid): boolean => {
  const target = model.typesByUid[uid];
  return target !== undefined && switches.hasHolder(target);
};

const inputOf = (book: TypeBook, holder: AttributeHolder, attribute: Attribute): GraphQLInputType | null => {
  switch (attribute.family) {
    case 'scalar': return attribute.type === 'enumeration' ? book.enumeration(holder, attribute) : book.scalar(attribute.field.graphql.input);
    case 'relation': {
      if (attribute.target === null) return book.scalar('JSON');
      if (!isShown(book, attribute.target)) return null;
      return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID;
    }
    case 'media': {
      if (!isShown(book, attribute.target)) return null;
      return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID;
    }
    case 'component': {
      const component = book.model.componentsByUid[attribute.component];
      if (component === undefined || !book.switches.hasHolder(component)) return null;
      return attribute.repeatable ? new GraphQLList(book.input(component)) : book.input(component);
    }
    case 'dynamiczone': return new GraphQLList(new GraphQLNonNull(book.zoneInput(holder, attribute)));
    default: return null;
  }
};

const attributeInputs = (book: TypeBook, holder: AttributeHolder): GraphQLInputFieldConfigMap => Object.fromEntries(Object.values(holder.attributes).flatMap((attribute) => {
  const name = fieldNameOf(attribute.name);
  const type = name === null || !book.switches.hasInput(holder, attribute.name) ? null : inputOf(book, holder, attribute);
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
  return new GraphQLInputObjectType({ name, fields: () => ({ ...switchedOn(systemInputs(book, holder), (field) => book.switches.hasInput(holder, field)), ...attributeInputs(book, holder) }) });
}
