import { GraphQLObjectType, GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import type { ContentModel, ContentType } from '../../model/model.js';
import { localeCodeScalar } from '../scalars/locale-code.js';
import type { RootTypes } from './arguments.js';
import { createTypeBook } from './create-type-book.js';
import { mutationFieldsOf } from './mutation-fields.js';
import { PLUGIN_QUERIES, pluginMutations } from './plugin-fields.js';
import { queryFieldsOf } from './query-fields.js';
import type { RootFields } from './query-fields.js';
import { subscriptionFieldsOf } from '../subscriptions/subscription-fields.js';
import { everyType } from './every-type.js';
import { ALL_ON } from './switches.js';
import type { SchemaSwitches } from './switches.js';

export interface SchemaOptions {
  /** False: only what does not come from content-types. */
  readonly shadowCRUD: boolean;
  readonly isLocale: (code: string) => boolean;
  /** Whether changes of content-types can be subscribed to. Default: they cannot. */
  readonly subscriptions?: boolean;
  /** Default: everything is there. */
  readonly switches?: SchemaSwitches;
  /** Whether types that nothing refers to are there all the same, to be referred to by name. */
  readonly keepsAll?: boolean;
}

/** Permissions are shown with their role; nobody asks for them by themselves. */
const WITHOUT_QUERIES: ReadonlySet<string> = new Set(['plugin::users-permissions.permission']);

/** Names that are taken stay with who came first; the later field gets an underscore more. */
const merge = (groups: readonly RootFields[]): RootFields => {
  const fields: RootFields = {};
  const claim = (wanted: string): string => (Object.hasOwn(fields, wanted) ? claim(`${wanted}_`) : wanted);
  for (const group of groups) for (const [name, field] of Object.entries(group)) fields[claim(name)] = field;
  return fields;
};

const isProject = ({ origin }: ContentType): boolean => origin === 'project';

/**
 * The GraphQL schema of a content model: queries and mutations of every content-type, and those of the built-in plugins. What a resolver works with
 * comes with the context of its operation.
 *
 * @example printSchema(buildSchema(model, { shadowCRUD: true, isLocale: () => true }))
 */
export function buildSchema(model: ContentModel, { shadowCRUD, isLocale, subscriptions = false, switches = ALL_ON, keepsAll = false }: SchemaOptions): GraphQLSchema {
  const types: RootTypes = { book: createTypeBook(model, switches), localeCode: localeCodeScalar(isLocale) };
  const shown = shadowCRUD ? [...model.types.filter(({ uid }) => !WITHOUT_QUERIES.has(uid)), types.book.localeType].filter(switches.hasHolder) : [];
  const queries = merge([PLUGIN_QUERIES, ...shown.map((type) => queryFieldsOf(types, type))]);
  const mutations = merge([pluginMutations(types.book), ...shown.filter(isProject).map((type) => mutationFieldsOf(types, type))]);
  const changes = subscriptions ? merge(shown.filter((type) => isProject(type) && switches.hasAction(type, 'find')).map((type) => subscriptionFieldsOf(types, type))) : {};
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: queries }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutations }),
    ...(Object.keys(changes).length === 0 ? {} : { subscription: new GraphQLObjectType({ name: 'Subscription', fields: changes }) }),
    ...(keepsAll && shadowCRUD ? { types: [types.localeCode, ...everyType(types.book)] } : {}),
  });
}

/** The schema's SDL, sorted, so that it differs only where the schema does. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
