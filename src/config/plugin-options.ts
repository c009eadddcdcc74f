import { ACCOUNT_OPTIONS } from './account-settings.js';
import { flag, flagOr, integer, matching, option, section, text } from './checks.js';
import type { Check, Option } from './checks.js';
import { EMAIL_OPTIONS } from './email-settings.js';

/** The options of a plugin by their path below `config`. */
export type PluginOptions = Readonly<Record<string, Option>>;

const persistedQueries = flagOr(section({ automatic: flag, from: text, only: flag }));
const subscriptions = flagOr(
  section({ maxConnections: integer(1), maxPerConnection: integer(1), keepAlive: integer(1, 3600) }),
);

/**
 * The options of the GraphQL plugin. The defaults here are for the reference page only; the GraphQL endpoint
 * has separate ones.
 */
const GRAPHQL_OPTIONS = {
  endpoint: option(
    matching(/^\/[\w/-]+$/, 'a path such as /graphql'),
    '/graphql',
    'The path of the endpoint.',
  ),
  shadowCRUD: option(flag, true, 'True: queries and mutations are generated from the content-types.'),
  playgroundAlways: option(flag, false, 'True: the playground is served in production, too.'),
  depthLimit: option(integer(1), 10, 'Maximum depth of nested selections.'),
  amountLimit: option(integer(1), 100, 'Maximum number of documents in all root lists of a request.'),
  defaultLimit: option(integer(1), 10, 'Documents in a list, if the request sets no limit.'),
  maxLimit: option(integer(-1), -1, 'Maximum number of documents in a list; -1: no limit.'),
  complexityLimit: option(
    integer(1),
    50_000,
    'Maximum number of records in a response, including nested ones. The root fields share it equally.',
  ),
  aliasLimit: option(integer(0), 50, 'Maximum number of aliases in a request.'),
  tokenLimit: option(integer(1), 10_000, 'Maximum number of tokens in the documents of a request.'),
  batchLimit: option(integer(0), 10, 'Maximum number of operations in a batch; 0: no batches.'),
  persistedQueries: option<unknown>(
    persistedQueries,
    true,
    'Persisted queries: `automatic` stores the queries of clients, `from` loads a folder or file, `only` ' +
      'rejects all other queries.',
    { example: { from: 'queries', only: true } },
  ),
  subscriptions: option<unknown>(subscriptions, true, 'Subscriptions over WebSocket, and their limits.', {
    example: { maxConnections: 200 },
  }),
  introspection: option<unknown>(
    flag,
    undefined,
    'True: clients may query the schema. Default: true, except in production.',
    { example: false },
  ),
};

/** The options of known plugins. The options of other plugins are passed on unchecked. */
export const PLUGIN_OPTIONS: Readonly<Record<string, PluginOptions>> = {
  graphql: GRAPHQL_OPTIONS,
  'users-permissions': ACCOUNT_OPTIONS,
  email: EMAIL_OPTIONS,
};

/** Returns the checks of the keys directly below `config`. Options with a dot are grouped into sections. */
export function compilePluginChecks(options: PluginOptions): Readonly<Record<string, Check<unknown>>> {
  const sections = new Map<string, Record<string, Check<unknown>>>();
  const checks: Record<string, Check<unknown>> = {};
  for (const [path, { check }] of Object.entries(options)) {
    const [key = '', name] = path.split('.');
    if (name === undefined) checks[key] = check;
    else {
      const keys = sections.get(key) ?? {};
      sections.set(key, keys);
      keys[name] = check;
    }
  }
  for (const [key, keys] of sections) checks[key] = section(keys);
  return checks;
}
