import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import type { DocumentService } from '../../documents/documents.js';
import { withoutUndefined } from '../../lib/records.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { findSource, messageOf } from '../../lib/caught-errors.js';
import type { Log } from '../runtime/log.js';
import type { Store } from '../runtime/store.js';

export type Entry = Record<string, unknown> & { readonly id: number };
export type QueryParams = Readonly<Record<string, unknown>>;

/** The part of `strapi.db.query(uid)` that plugins use. */
interface EntityQuery {
  readonly findOne: (params?: QueryParams) => Promise<Entry | null>;
  readonly findMany: (params?: QueryParams) => Promise<readonly Entry[]>;
  readonly findPage: (params?: QueryParams) => Promise<unknown>;
  readonly count: (params?: QueryParams) => Promise<number>;
  readonly create: (params: QueryParams) => Promise<Entry>;
  readonly update: (params: QueryParams) => Promise<Entry | null>;
  readonly delete: (params: QueryParams) => Promise<Entry | null>;
}

/** The dependencies of Galley's built-in plugins. */
export interface PluginHost {
  readonly root: string;
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly access: Access;
  readonly accounts: AccountContext;
  readonly documents: DocumentService;
  readonly media: MediaLibrary;
  readonly log: Log;
  readonly store: Store;
  /** `strapi.db.query`, so that listeners of the project run. */
  readonly query: (uid: string) => EntityQuery;
  /** Reads the configuration of the project: `plugin::email.settings`. */
  readonly read: (path: string, otherwise?: unknown) => unknown;
  /** Returns a service by plugin and name. Project code may have replaced it. */
  readonly service: <T>(plugin: string, name: string) => T;
  /** Loads a file of the project or a package, and returns what it exports. */
  readonly load: (path: string) => Promise<unknown>;
}

/** Converts parameters of the API (`filters`, `sort`, `fields`) to those of `db.query`. */
export function toQueryParams(params: QueryParams | null | undefined): Record<string, unknown> {
  const { filters, sort, fields, pagination, ...rest } = params ?? {};
  const page = (pagination ?? {}) as Readonly<Record<string, unknown>>;
  const names: Readonly<Record<string, unknown>> = {
    where: filters,
    orderBy: sort,
    select: fields,
    limit: page['limit'],
    offset: page['start'],
    page: page['page'],
    pageSize: page['pageSize'],
  };
  return { ...rest, ...withoutUndefined(names) };
}

/** A failed function of a plugin. */
interface PluginFunction {
  readonly plugin: string;
  readonly name: string;
}

const FRAME = /\(?((?:\/|[A-Za-z]:\\)[^():]*node_modules[^():]*):(\d+)/;

/** Returns the first frame of a package in an error's stack: `strapi-plugin-x/dist/server/index.js:12`. */
const findPackageSource = (error: unknown): string | undefined => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, path, line] =
    stack
      .split('\n')
      .map((frame) => FRAME.exec(frame))
      .find((match) => match !== null) ?? [];
  return path === undefined ? undefined : `${path.slice(path.lastIndexOf('node_modules'))}:${line ?? ''}`;
};

/** Returns the error for a failed handler of a hook, with file and line if known. */
export function hookFailure(root: string, cause: unknown): Error {
  const file = findSource(root, cause) ?? findPackageSource(cause) ?? 'code of the project';
  return createError('strapi/hook-failed', { file, reason: messageOf(cause) }, { cause });
}

/**
 * Returns the parts of the message about a failure. File and hint end with a space if known, else they are
 * empty.
 */
const detailsOf = (
  root: string,
  cause: unknown,
): { readonly file: string; readonly reason: string; readonly hint: string } => {
  const source = findSource(root, cause) ?? findPackageSource(cause);
  return {
    file: source === undefined ? '' : `${source} `,
    reason: messageOf(cause),
    hint: isGalleyError(cause) && cause.hint !== undefined ? `${cause.hint} ` : '',
  };
};

/** Returns the error for a plugin that fails at the start, with file and line if known. */
export function pluginFailure(root: string, { plugin, name }: PluginFunction, cause: unknown): Error {
  const { file, reason, hint } = detailsOf(root, cause);
  return createError(
    'strapi/plugin-failed',
    {
      plugin,
      name,
      file,
      reason,
      remedy: `${hint}Or disable the plugin in config/plugins: '${plugin}': { enabled: false }`,
    },
    { cause },
  );
}

/** Returns the error for a provider that cannot be opened, with file and line if known. */
export function providerFailure(
  root: string,
  { kind, name }: { readonly kind: 'email' | 'upload'; readonly name: string },
  cause: unknown,
): Error {
  const { file, reason, hint } = detailsOf(root, cause);
  const work = kind === 'upload' ? 'stores files' : 'sends messages';
  return createError(
    'strapi/provider-failed',
    {
      kind,
      name,
      file,
      reason,
      remedy:
        `${hint}Correct providerOptions of ${kind} in config/plugins, and the variables of .env. ` +
        `Or remove provider there: Galley then ${work} itself`,
    },
    { cause },
  );
}
