import type { Config } from '../../config/config.js';
import { isRecord } from '../../lib/records.js';

/** `plugins.graphql.config.persistedQueries`. `false` means `automatic: false`. */
export interface PersistedQueriesOptions {
  /** True if Apollo's automatic persisted queries are supported. Default: true. */
  readonly automatic: boolean;
  /**
   * Path from the project's root: a folder of .graphql files, one such file, or a .json file of documents by
   * hash or name. Null: none.
   */
  readonly from: string | null;
  /** True if all other documents are rejected. Default: false. */
  readonly only: boolean;
}

/** `plugins.graphql.config.subscriptions`. `true` means all defaults. */
interface SubscriptionOptions {
  /** Maximum of WebSocket connections per process. Default: 1000. */
  readonly maxConnections: number;
  /** Maximum of open operations per connection. Default: 50. */
  readonly maxPerConnection: number;
  /** Seconds between checks that a client is alive and still authorised. Default: 20. */
  readonly keepAlive: number;
}

/** `plugins.graphql.config` with defaults applied. Frozen. */
export interface GraphqlOptions {
  /** `/graphql` */
  readonly endpoint: string;
  /** True if queries and mutations are generated from the content-types. */
  readonly shadowCRUD: boolean;
  /** True if the endpoint serves the playground to browsers. */
  readonly playground: boolean;
  /** Maximum nesting of selections in one operation. Default: 10. */
  readonly depthLimit: number;
  /** Maximum of records in all root lists of a request combined, and in each nested list. Default: 100. */
  readonly amountLimit: number;
  /**
   * Maximum of records that a request may read, populated ones included. Its root fields share it equally.
   * Default: 50 000.
   */
  readonly complexityLimit: number;
  /** Maximum of aliases in one request. Default: 50. */
  readonly aliasLimit: number;
  /** Maximum of tokens in the documents of one request. Default: 10 000. */
  readonly tokenLimit: number;
  /** Maximum of operations in a batch request. 0 rejects batches. Default: 10. */
  readonly batchLimit: number;
  readonly persistedQueries: PersistedQueriesOptions;
  /** Null: disabled. */
  readonly subscriptions: SubscriptionOptions | null;
  readonly defaultLimit: number;
  /** -1: unlimited. */
  readonly maxLimit: number;
  readonly introspection: boolean;
  /** True if responses carry the timing of every field. */
  readonly tracing: boolean;
}

type Settings = Readonly<Record<string, unknown>>;

const numberOf = (settings: Settings, key: string, fallback: number): number => {
  const value = settings[key];
  return typeof value === 'number' ? value : fallback;
};

const flagOf = (settings: Settings, key: string, fallback: boolean): boolean => {
  const value = settings[key];
  return typeof value === 'boolean' ? value : fallback;
};

const persistedOf = (value: unknown): PersistedQueriesOptions => {
  const settings: Settings = isRecord(value) ? value : {};
  const { from } = settings;
  return Object.freeze({
    automatic: flagOf(settings, 'automatic', value !== false),
    from: typeof from === 'string' ? from : null,
    only: flagOf(settings, 'only', false),
  });
};

const subscriptionsOf = (value: unknown): SubscriptionOptions | null => {
  if (value === false) return null;
  const settings: Settings = isRecord(value) ? value : {};
  return Object.freeze({
    maxConnections: numberOf(settings, 'maxConnections', 1000),
    maxPerConnection: numberOf(settings, 'maxPerConnection', 50),
    keepAlive: numberOf(settings, 'keepAlive', 20),
  });
};

/** Returns the options of the plugin from its validated settings, or null if the plugin is disabled. */
export function graphqlOptionsOf({
  plugins,
  environment,
}: Pick<Config, 'plugins' | 'environment'>): GraphqlOptions | null {
  const plugin = plugins['graphql'];
  if (plugin?.enabled === false) return null;
  const settings: Settings = plugin?.config ?? {};
  const { endpoint, apolloServer } = settings;
  const server: Settings = isRecord(apolloServer) ? apolloServer : {};
  const introspection = flagOf(server, 'introspection', environment !== 'production');
  return Object.freeze({
    endpoint: typeof endpoint === 'string' ? endpoint : '/graphql',
    shadowCRUD: flagOf(settings, 'shadowCRUD', true),
    playground: flagOf(
      settings,
      'landingPage',
      environment !== 'production' || flagOf(settings, 'playgroundAlways', false),
    ),
    depthLimit: numberOf(settings, 'depthLimit', 10),
    amountLimit: numberOf(settings, 'amountLimit', 100),
    complexityLimit: numberOf(settings, 'complexityLimit', 50_000),
    aliasLimit: numberOf(settings, 'aliasLimit', 50),
    tokenLimit: numberOf(settings, 'tokenLimit', 10_000),
    batchLimit: numberOf(settings, 'batchLimit', 10),
    persistedQueries: persistedOf(settings['persistedQueries']),
    subscriptions: subscriptionsOf(settings['subscriptions']),
    defaultLimit: numberOf(settings, 'defaultLimit', 10),
    maxLimit: numberOf(settings, 'maxLimit', -1),
    introspection: flagOf(settings, 'introspection', introspection),
    tracing: flagOf(server, 'tracing', false),
  });
}
