import type { GraphQLArgumentConfig, GraphQLFieldConfigArgumentMap, GraphQLScalarType } from 'graphql';
import type { ContentType } from '../../../model/model.js';
import type { TypeRegistry } from './type-registry.js';

/** Dependencies for building root fields. */
export interface RootTypes {
  readonly registry: TypeRegistry;
  readonly localeCode: GraphQLScalarType;
}

/** `status: PublicationStatus = PUBLISHED` */
export function statusArgument(registry: TypeRegistry): GraphQLArgumentConfig {
  return { type: registry.publicationStatus, defaultValue: 'published' };
}

/** The `locale` argument, which only localised types have. */
export function localeArgument(
  localeCode: GraphQLScalarType,
  type: ContentType,
): GraphQLFieldConfigArgumentMap {
  return type.localized
    ? { locale: { type: localeCode, description: 'The locale to use for the query' } }
    : {};
}
