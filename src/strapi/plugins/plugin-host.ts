import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import type { DocumentService } from '../../documents/documents.js';
import { withoutUndefined } from '../../lib/records.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
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
