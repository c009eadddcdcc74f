import type { GraphQLArgumentConfig, GraphQLFieldConfigArgumentMap, GraphQLScalarType } from 'graphql';
import type { ContentType } from '../../model/model.js';
import type { TypeBook } from './type-book.js';

/** What root fields are made of. */
export interface RootTypes {
  readonly book: TypeBook;
  readonly localeCode: GraphQLScalarType;
}

/** `status: PublicationStatus = PUBLISHED` */
export function statusArgument(book: TypeBook): GraphQLArgumentConfig {
  return { type: book.publicationStatus, defaultValue: 'published' };
}

/** Only localised types have languages to choose from. */
export function localeArgument(localeCode: GraphQLScalarType, type: ContentType): GraphQLFieldConfigArgumentMap {
  return type.localized ? { locale: { type: localeCode, description: 'The locale to use for the query' } } : {};
}
