import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database, Transaction } from '../../../database/database.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentModel } from '../../../model/model.js';
import { DRIVERS } from '../../database-names.js';
import { createKnexClient, knexInTransaction } from './knex-client.js';
import type { KnexClient, KnexFunction, KnexModule } from './knex-client.js';

interface KnexDependencies {
  readonly root: string;
  readonly model: ContentModel;
  readonly database: Database;
}

/** Knex over the project's database. Its package is loaded when it is first asked for. */
interface ProjectKnex {
  /** @throws `strapi/knex-missing` */
  readonly connection: () => KnexFunction;
  readonly getConnection: (table: string | undefined) => unknown;
  readonly inTransaction: (tx: Transaction) => unknown;
}

/** A project may have installed Knex itself; otherwise that of Galley is taken, where there is one. */
const requireKnex = <T>(root: string, name: string): T => {
  const places = [pathToFileURL(join(root, 'package.json')).href, import.meta.url];
  for (const place of places) {
    try {
      return createRequire(place)(name) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw createError('strapi/knex-missing', { call: 'strapi.db.connection' });
};

const DIALECT_MODULES = {
  sqlite: 'knex/lib/dialects/better-sqlite3/index.js',
  postgresql: 'knex/lib/dialects/postgres/index.js',
} as const;

/** Creates `strapi.db.connection`. */
export function createKnex({ root, model, database }: KnexDependencies): ProjectKnex {
  let opened: KnexFunction | undefined;
  const connection = (): KnexFunction => {
    if (opened !== undefined) return opened;
    const { knex } = requireKnex<KnexModule>(root, 'knex');
    const Dialect = requireKnex<new (config: unknown) => KnexClient>(
      root,
      DIALECT_MODULES[database.dialect.name],
    );
    opened = knex({ client: createKnexClient(Dialect, { model, database }), useNullAsDefault: true });
    // Code that writes SQL for several databases asks for the name of the driver.
    Object.assign(opened.client.config, { client: DRIVERS[database.dialect.name] });
    return opened;
  };
  return {
    connection,
    getConnection: (table) => (table === undefined ? connection() : connection()(table)),
    inTransaction: (tx) => knexInTransaction(connection(), tx),
  };
}
