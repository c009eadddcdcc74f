import type { Config } from '../config/config.js';
import { isRecord } from '../lib/is-record.js';

/** `plugins.graphql.config` with its defaults; frozen. */
export interface GraphqlOptions {
  /** `/graphql` */
  readonly endpoint: string;
  /** Whether queries and mutations are made from the content-types. */
  readonly shadowCRUD: boolean;
  /** Whether browsers that open the endpoint are shown the playground. */
  readonly playground: boolean;
  /** Deepest nesting of selections in one operation. */
  readonly depthLimit: number;
  /** Most records that the root lists of one operation answer together. */
  readonly amountLimit: number;
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
    defaultLimit: numberOf(settings, 'defaultLimit', 10),
    maxLimit: numberOf(settings, 'maxLimit', -1),
    introspection: flagOf(settings, 'introspection', introspection),
    tracing: flagOf(server, 'tracing', false),
  });
}
