import { GraphQLObjectType, GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLNamedType } from 'graphql';
import { PERMISSION_UID } from '../../../model/content-types/builtin-types.js';
import type { ContentModel, ContentType } from '../../../model/model.js';
import { subscriptionFieldsOf } from '../subscriptions/subscription-fields.js';
import { aggregateFieldsOf } from '../fields/aggregate-fields.js';
import { bulkFieldsOf, mutationFieldsOf } from '../fields/mutation-fields.js';
import { createTypeRegistry } from './create-type-registry.js';
import { ERROR, PAGINATION, SCALARS, localeCodeScalar } from './fixed-types.js';
import {
  historyMutationsOf,
  historyQueriesOf,
  scheduleMutationsOf,
  scheduleQueriesOf,
} from '../fields/version-fields.js';
import { trashMutationsOf, trashQueriesOf } from '../fields/trash-fields.js';
import { pluginMutations, pluginQueries } from '../fields/plugin-fields.js';
import { queryFieldsOf } from '../fields/query-fields.js';
import type { RootFields } from '../fields/query-fields.js';
import { ALL_ENABLED, withoutDisabled } from './type-registry.js';
import type { RootTypes, SchemaExtension, SchemaSwitches, TypeRegistry } from './type-registry.js';

/**
 * Returns all types of a model's schema that types of the project may refer to, including those that no
 * generated query uses.
 */
function allTypes(registry: TypeRegistry): readonly GraphQLNamedType[] {
  const { model, switches } = registry;
  const types = model.types.filter(switches.hasType);
  const components = model.components.filter(switches.hasType);
  return [
    ...SCALARS,
    ...SCALARS.map(({ name }) => registry.scalarFilter(`${name}FilterInput`)),
    ERROR,
    PAGINATION,
    registry.paginationArg,
    registry.publicationStatus,
    registry.publicationFilter,
    ...[...components, ...types].flatMap((contentSchema) => [
      registry.object(contentSchema),
      registry.filters(contentSchema),
      registry.input(contentSchema),
    ]),
    ...types.flatMap((type) => [registry.connection(type), registry.relationConnection(type)]),
    registry.genericMorph(),
  ];
}

interface SchemaOptions {
  /** False: only fields that are not generated from content-types. */
  readonly shadowCRUD: boolean;
  readonly isLocale: (code: string) => boolean;
  /** True if the schema has subscriptions to changes of documents. Default: false. */
  readonly subscriptions?: boolean;
  /** True if the schema has aggregates, schedules, published versions and bulk mutations. Default: false. */
  readonly additions?: boolean;
  /** Default: everything is switched on. */
  readonly switches?: SchemaSwitches;
  /** True if types that no field uses are included, so that a project's types can refer to them. */
  readonly includeUnusedTypes?: boolean;
}

/** Types without queries: permissions are read as part of their role. */
const WITHOUT_QUERIES: ReadonlySet<string> = new Set([PERMISSION_UID]);

/** Merges groups of fields. Underscores are appended to a name that an earlier field has. */
const mergeFields = (groups: readonly RootFields[]): RootFields => {
  const fields: RootFields = {};
  const uniqueName = (preferredName: string): string =>
    Object.hasOwn(fields, preferredName) ? uniqueName(`${preferredName}_`) : preferredName;
  for (const group of groups)
    for (const [name, field] of Object.entries(group)) fields[uniqueName(name)] = field;
  return fields;
};

/** True for types of the project and of its plugins, which have queries and mutations as in Strapi. */
const isProjectType = ({ origin }: ContentType): boolean => origin !== 'builtin';

/**
 * Builds the GraphQL schema of a content model: queries, mutations and subscriptions of its content-types,
 * and those of the built-in plugins. Resolvers get everything they need from the context of their operation.
 *
 * @example
 *   printSchema(buildSchema(model, { shadowCRUD: true, isLocale: () => true }));
 */
export function buildSchema(
  model: ContentModel,
  {
    shadowCRUD,
    isLocale,
    subscriptions = false,
    additions = false,
    switches: extensionSwitches = ALL_ENABLED,
    includeUnusedTypes = false,
  }: SchemaOptions,
): GraphQLSchema {
  const switches = withoutDisabled(model, extensionSwitches);
  const types: RootTypes = {
    registry: createTypeRegistry(model, switches),
    localeCode: localeCodeScalar(isLocale),
  };
  const visibleTypes = shadowCRUD
    ? [...model.types.filter(({ uid }) => !WITHOUT_QUERIES.has(uid)), types.registry.localeType].filter(
        switches.hasType,
      )
    : [];
  const queryFields = mergeFields([
    pluginQueries(model),
    ...visibleTypes.map((type) => queryFieldsOf(types, type)),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => aggregateFieldsOf(types, type)) : []),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => scheduleQueriesOf(types, type)) : []),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => historyQueriesOf(types, type)) : []),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => trashQueriesOf(types, type)) : []),
  ]);
  const mutationFields = mergeFields([
    pluginMutations(types.registry),
    ...visibleTypes.filter(isProjectType).map((type) => mutationFieldsOf(types, type)),
    ...(additions ? [bulkFieldsOf(types, visibleTypes.filter(isProjectType))] : []),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => scheduleMutationsOf(types, type)) : []),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => historyMutationsOf(types, type)) : []),
    ...(additions ? visibleTypes.filter(isProjectType).map((type) => trashMutationsOf(types, type)) : []),
  ]);
  const subscriptionFields = subscriptions
    ? mergeFields(
        visibleTypes
          .filter((type) => isProjectType(type) && switches.hasAction(type, 'find'))
          .map((type) => subscriptionFieldsOf(types, type)),
      )
    : {};
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: queryFields }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutationFields }),
    ...(Object.keys(subscriptionFields).length === 0
      ? {}
      : { subscription: new GraphQLObjectType({ name: 'Subscription', fields: subscriptionFields }) }),
    ...(includeUnusedTypes && shadowCRUD ? { types: [types.localeCode, ...allTypes(types.registry)] } : {}),
  });
}

/** Prints a schema as SDL, sorted, so that equal schemas have equal text. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Builds the schema of a project: the schema of its content model, with the project's extension. */
export async function buildProjectSchema(
  model: ContentModel,
  options: Omit<SchemaOptions, 'switches' | 'includeUnusedTypes' | 'additions'>,
  extension: SchemaExtension | undefined,
): Promise<GraphQLSchema> {
  if (extension === undefined) return buildSchema(model, { ...options, additions: true });
  return extension.extend(
    buildSchema(model, {
      ...options,
      additions: true,
      switches: extension.switches,
      includeUnusedTypes: extension.addsTypes,
    }),
  );
}
