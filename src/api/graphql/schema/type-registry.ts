import { GraphQLString } from 'graphql';
import type {
  GraphQLArgumentConfig,
  GraphQLEnumType,
  GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLUnionType,
} from 'graphql';
import type { DocumentAction } from '../../../access/permissions/actions.js';
import { isDisabled } from '../../../model/lookup.js';
import type {
  ContentModel,
  ContentSchema,
  ContentType,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../../../model/model.js';
import {
  ERROR,
  PAGINATION,
  PAGINATION_ARG,
  PUBLICATION_FILTER,
  PUBLICATION_STATUS,
  SCALARS,
  USERS_TYPES,
} from './fixed-types.js';

/** Action of a type that can be disabled. An aggregate requires the permission of `find`. */
export type SchemaAction = DocumentAction | 'aggregate';

/** Selection of the parts of the content model that the schema contains. */
export interface SchemaSwitches {
  /** False: the schema omits the type or component, and every field that refers to it. */
  readonly hasType: (contentSchema: ContentSchema) => boolean;
  readonly hasAction: (contentSchema: ContentSchema, action: SchemaAction) => boolean;
  /** `attribute` is the name of an attribute or system field. */
  readonly hasOutput: (contentSchema: ContentSchema, attribute: string) => boolean;
  readonly hasInput: (contentSchema: ContentSchema, attribute: string) => boolean;
  readonly hasFilters: (contentSchema: ContentSchema, attribute: string) => boolean;
}

/** Changes by a project to its schema. */
export interface SchemaExtension {
  readonly switches: SchemaSwitches;
  /** True if the project adds anything, so that it may refer to types by name. */
  readonly addsTypes: boolean;
  /**
   * Returns the schema with the additions of the project.
   *
   * @throws `graphql/invalid-extension`, which names the `use` and its key
   */
  readonly extend: (schema: GraphQLSchema) => Promise<GraphQLSchema>;
}

const always = (): boolean => true;

/** Everything is switched on. */
export const ALL_ENABLED: SchemaSwitches = Object.freeze({
  hasType: always,
  hasAction: always,
  hasOutput: always,
  hasInput: always,
  hasFilters: always,
});

/** Returns the switches with the queries and mutations of disabled built-in plugins disabled, too. */
export function withoutDisabled(model: ContentModel, switches: SchemaSwitches): SchemaSwitches {
  if (model.disabledPlugins.length === 0) return switches;
  return {
    ...switches,
    hasAction: (schema, action) => !isDisabled(model, schema.uid) && switches.hasAction(schema, action),
  };
}

/** Returns the entries of a record of fields that are switched on. */
export function filterEnabled<Field>(
  fields: Readonly<Record<string, Field>>,
  isEnabled: (name: string) => boolean,
): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isEnabled(name)));
}

const FIXED_TYPES = [
  ...SCALARS,
  ...USERS_TYPES,
  ERROR,
  PAGINATION,
  PAGINATION_ARG,
  PUBLICATION_FILTER,
  PUBLICATION_STATUS,
];

const RESERVED_NAMES: readonly string[] = [
  ...FIXED_TYPES.map(({ name }) => name),
  ...SCALARS.map(({ name }) => `${name}FilterInput`),
];

/** Returns the preferred name, followed by as many underscores as it takes to be unique. */
export type ClaimTypeName = (preferredName: string) => string;

/** Creates the type names of one schema. Names that are the same in every schema are taken from the start. */
export function createTypeNames(): ClaimTypeName {
  const takenNames = new Set(RESERVED_NAMES);
  const claim: ClaimTypeName = (preferredName) => {
    const name = takenNames.has(preferredName) ? claim(`${preferredName}_`) : preferredName;
    takenNames.add(name);
    return name;
  };
  return claim;
}

/**
 * All types of one schema. Each is built when it is first requested. Fields are thunks, so that types may
 * refer to each other.
 */
export interface TypeRegistry {
  readonly model: ContentModel;
  readonly switches: SchemaSwitches;
  /** Claims the name of a type that is not in this registry. */
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

/** The argument of writes that must not overwrite unseen changes. */
export const IF_MATCH_ARGUMENT = {
  ifMatch: {
    type: GraphQLString,
    description:
      'The updatedAt of the document that the client has read; rejects the write if it has changed',
  },
} as const satisfies GraphQLFieldConfigArgumentMap;
