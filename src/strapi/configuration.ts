import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.js';
import { databaseKindOf } from '../config/database-url.js';
import { isRecord, recordAt } from '../lib/records.js';

/** Returns the content of a folder's package.json, or an empty object if there is none. */
export function readPackageFile(folder: string): Record<string, unknown> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return {};
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(value) ? value : {};
}

/**
 * Returns the folder of a package, which a workspace may install in a parent folder. Null if it is not
 * installed.
 */
export function findPackage(root: string, name: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}

/** Strapi's names of databases. */
export const STRAPI_CLIENTS = { sqlite: 'sqlite', postgresql: 'postgres' } as const;

/** Strapi's names of the drivers below Knex. */
export const KNEX_DRIVERS = { sqlite: 'better-sqlite3', postgresql: 'pg' } as const;

/** Returns the version of Strapi the project was written for. Code reads it to support several versions. */
export function strapiVersion(info: Record<string, unknown>): string {
  const wanted = recordAt(info, 'dependencies')['@strapi/strapi'];
  return /\d+\.\d+\.\d+/.exec(String(wanted))?.[0] ?? '5.0.0';
}

/** Returns Strapi's name of the database in use, which may differ from the one in config/database. */
const strapiClient = ({ database }: Config): string =>
  STRAPI_CLIENTS[databaseKindOf(database.url) ?? 'sqlite'];

/**
 * Returns the values that `strapi.config.get` reads: those of config/, the values that override them in
 * cms.config.* or the environment, and the options of plugins under `plugin::<name>`.
 */
export function configurationValues(
  config: Config,
  declared: Record<string, unknown>,
): Record<string, unknown> {
  const { host, port, url } = config.server;
  const { prefix, defaultLimit, maxLimit } = config.api.rest;
  const info = readPackageFile(config.root);
  const api = recordAt(declared, 'api');
  const address = url === undefined || url === '' ? `http://${host}:${port}` : url;
  const plugins = Object.entries({ upload: { config: {} }, ...config.plugins }).map(([name, plugin]) => {
    const pluginConfig = recordAt(recordAt(declared, 'plugins'), name)['config'];
    const defaults = name === 'upload' ? { provider: 'local', sizeLimit: config.upload.sizeLimit } : {};
    return [
      `plugin::${name}`,
      { ...defaults, ...(isRecord(pluginConfig) ? pluginConfig : {}), ...plugin.config },
    ] as const;
  });
  const database = recordAt(declared, 'database');
  return {
    ...declared,
    environment: config.environment,
    info: { ...info, strapi: strapiVersion(info) },
    uuid: recordAt(info, 'strapi')['uuid'],
    server: {
      cron: { enabled: false },
      ...recordAt(declared, 'server'),
      host,
      port,
      url: address,
      absoluteUrl: address,
    },
    api: { ...api, rest: { ...recordAt(api, 'rest'), prefix, defaultLimit, maxLimit } },
    database: {
      ...database,
      connection: { ...recordAt(database, 'connection'), client: strapiClient(config) },
    },
    admin: { auth: {}, url: '/admin', ...recordAt(declared, 'admin') },
    ...Object.fromEntries(plugins),
  };
}

/** `strapi.config` in code written for Strapi: `get('server.host')`, `get('plugin::upload')`. */
export interface StrapiConfiguration {
  readonly get: (path: string | readonly string[], otherwise?: unknown) => unknown;
  readonly set: (path: string | readonly string[], value: unknown) => void;
  readonly has: (path: string | readonly string[]) => boolean;
}

/**
 * Returns the keys of a path: `server.app.keys` → server, app, keys. A plugin, `plugin::x` or `plugin.x`, is
 * one key.
 */
const pathKeys = (path: string | readonly string[]): readonly string[] =>
  (typeof path === 'string' ? [path.replace(/^plugin\./, 'plugin::')] : path).flatMap((part) =>
    part.split('.'),
  );

/** Creates the configuration from values, which `set` changes in place. */
export function createStrapiConfiguration(values: Record<string, unknown>): StrapiConfiguration {
  const get = (path: string | readonly string[]): unknown => {
    let found: unknown = values;
    for (const key of pathKeys(path)) {
      if (typeof found !== 'object' || found === null) return undefined;
      found = Reflect.get(found, key);
    }
    return found;
  };
  return {
    get: (path, otherwise) => get(path) ?? otherwise,
    has: (path) => get(path) !== undefined,
    set: (path, value) => {
      const keys = [...pathKeys(path)];
      const last = keys.pop() ?? '';
      let target = values;
      for (const key of keys) {
        const next = target[key];
        const child = isRecord(next) ? next : {};
        target[key] = child;
        target = child;
      }
      target[last] = value;
    },
  };
}

interface ProjectDirectories {
  readonly root: string;
  readonly src: string;
  readonly api: string;
  readonly components: string;
  readonly extensions: string;
  readonly policies: string;
  readonly middlewares: string;
  readonly config: string;
}

/** The folders of a project. Code is not compiled to another folder, so `app` and `dist` are equal. */
export interface Directories {
  readonly app: ProjectDirectories;
  readonly dist: ProjectDirectories;
  readonly static: { readonly public: string };
}

/** Returns the folders of a project. */
export function createDirectories(root: string): Directories {
  const src = join(root, 'src');
  const app = {
    root,
    src,
    api: join(src, 'api'),
    components: join(src, 'components'),
    extensions: join(src, 'extensions'),
    policies: join(src, 'policies'),
    middlewares: join(src, 'middlewares'),
    config: join(root, 'config'),
  };
  return { app, dist: app, static: { public: join(root, 'public') } };
}
