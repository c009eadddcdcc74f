import type { Config } from '../config/config.js';
import { isRecord } from '../lib/is-record.js';

/** `plugins.graphql.config.persistedQueries`; `false` is automatic: false. */
export interface PersistedOptions {
  /** Whether documents are remembered by their hash once they have been sent with it (Apollo's automatic persisted queries). Default: true. */
  readonly automatic: boolean;
  /** Folder of .graphql files, one such file, or a .json file of documents by hash or name, from the project's root; null: the project has none. */
  readonly from: string | null;
  /** Whether other documents than those are refused. Default: false. */
  readonly only: boolean;
}

/** `plugins.graphql.config.subscriptions`; `true` is all defaults. */
export interface SubscriptionOptions {
  /** Most WebSocket connections of one process. Default: 1000. */
  readonly maxConnections: number;
  /** Most operations that one connection has open at once. Default: 50. */
  readonly maxPerConnection: number;
  /** Seconds between two looks at whether a client is still there and may still be. Default: 20. */
  readonly keepAlive: number;
}

/** `plugins.graphql.config` with its defaults; frozen. */
export interface GraphqlOptions {
  /** `/graphql` */
  readonly endpoint: string;
  /** Whether queries and mutations are made from the content-types. */
  readonly shadowCRUD: boolean;
  /** Whether browsers that open the endpoint are shown the playground. */
  readonly playground: boolean;
  /** Deepest nesting of selections in one operation. Default: 10. */
  readonly depthLimit: number;
  /** Most records that the root lists of one request answer together, and most that any list in them has. Default: 100. */
  readonly amountLimit: number;
  /**
   * Most records that the answer to one request could hold: lists count as long as their limit allows, and those in them count for each of their
   * items, before anything is run. Default: 12 000, all of a list with all of a list in each of its items.
   */
  readonly complexityLimit: number;
  /** Most aliases in one request. Default: 50. */
  readonly aliasLimit: number;
  /** Most names, brackets and values in the documents of one request. Default: 10 000. */
  readonly tokenLimit: number;
  /** Most operations that one request may hold as a list; 0: lists are refused. Default: 10. */
  readonly batchLimit: number;
  readonly persistedQueries: PersistedOptions;
  /** Null: there are none. */
  readonly subscriptions: SubscriptionOptions | null;
  readonly defaultLimit: number;
  /** -1: none. */
  readonly maxLimit: number;
  readonly introspection: boolean;
  /** Whether answers carry the time of every field. */
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

const persistedOf = (value: unknown): PersistedOptions => {
  const settings: Settings = isRecord(value) ? value : {};
  const { from } = settings;
  return Object.freeze({ automatic: flagOf(settings, 'automatic', value !== false), from: typeof from === 'string' ? from : null, only: flagOf(settings, 'only', false) });
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

/** Reads the plugin's settings, which the configuration has checked already. Null: the plugin is switched off. */
export function graphqlOptionsOf({ plugins, environment }: Pick<Config, 'plugins' | 'environment'>): GraphqlOptions | null {
  const plugin = plugins['graphql'];
  if (plugin?.enabled === false) return null;
  const settings: Settings = plugin?.config ?? {};
  const { endpoint, apolloServer } = settings;
  const server: Settings = isRecord(apolloServer) ? apolloServer : {};
  const introspection = flagOf(server, 'introspection', environment !== 'production');
  return Object.freeze({
    endpoint: typeof endpoint === 'string' ? endpoint : '/graphql',
    shadowCRUD: flagOf(settings, 'shadowCRUD', true),
    playground: environment !== 'production' || flagOf(settings, 'playgroundAlways', false),
    depthLimit: numberOf(settings, 'depthLimit', 10),
    amountLimit: numberOf(settings, 'amountLimit', 100),
    complexityLimit: numberOf(settings, 'complexityLimit', 12_000),
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
