import type {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLUnionType,
} from 'graphql';
import type {
  ContentSchema,
  ContentModel,
  ContentType,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../../../model/model.js';
import type { SchemaSwitches } from './switches.js';
import type { ClaimTypeName } from './type-names.js';

/**
 * All types of one schema. Each is built when it is first requested. Fields are thunks, so that types may
 * refer to each other.
 */
export interface TypeRegistry {
  readonly model: ContentModel;
  readonly switches: SchemaSwitches;
  /** Names a type that is not kept here. */
  readonly claimName: ClaimTypeName;
  /** Scalars and enumerations that are the same in every schema, by name. */
  readonly scalar: (name: string) => GraphQLScalarType;
  readonly publicationStatus: GraphQLEnumType;
  readonly publicationFilter: GraphQLEnumType;
  readonly paginationArg: GraphQLInputObjectType;
  readonly object: (contentSchema: ContentSchema) => GraphQLObjectType;
  readonly filters: (contentSchema: ContentSchema) => GraphQLInputObjectType;
  readonly input: (contentSchema: ContentSchema) => GraphQLInputObjectType;
  /** `StringFilterInput` */
  readonly scalarFilter: (name: string) => GraphQLInputObjectType;
  readonly enumeration: (contentSchema: ContentSchema, attribute: ScalarAttribute) => GraphQLEnumType;
  readonly zone: (contentSchema: ContentSchema, attribute: DynamicZoneAttribute) => GraphQLUnionType;
  readonly zoneInput: (contentSchema: ContentSchema, attribute: DynamicZoneAttribute) => GraphQLScalarType;
  /** `{nodes, pageInfo}` */
  readonly connection: (type: ContentType) => GraphQLObjectType;
  /** `{nodes}` */
  readonly relationConnection: (type: ContentType) => GraphQLObjectType;
  readonly genericMorph: () => GraphQLUnionType;
  /** The locales, in the form of a content-type. */
  readonly localeType: ContentType;
}

const CONTENT_SCHEMA = 'contentSchema';

/** The extensions of an object type that shows records of a content-type or component. */
export function contentSchemaExtensions(contentSchema: ContentSchema): Readonly<Record<string, unknown>> {
  return { [CONTENT_SCHEMA]: contentSchema };
}

/** Returns the content-type or component whose records an object type shows; undefined: none. */
export function contentSchemaOf(type: GraphQLObjectType): ContentSchema | undefined {
  return type.extensions[CONTENT_SCHEMA] as ContentSchema | undefined;
}
