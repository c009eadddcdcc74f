/** Implements `strapi.db.connection`: Knex on the project's connections. Start at {@link createKnex}. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database, Transaction } from '../../../database/database.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentModel, ContentType } from '../../../model/model.js';
import { KNEX_DRIVERS } from '../../configuration.js';
import { beginTransaction } from '../transaction.js';
import { createLinkTables } from './link-tables.js';

const DOCUMENT_SERVICE = 'Read and write it through strapi.documents or strapi.db.query';

/** Describes the table or column of each link of a type. */
const linksOf = (model: ContentModel, { attributes, storage }: ContentType): readonly string[] =>
  Object.values(attributes).flatMap((attribute) => {
    if (attribute.family !== 'relation' && attribute.family !== 'media') return [];
    const { link, name } = attribute;
    if (link === null) return [];
    if (link.kind !== 'column') return [`${name} in the table ${link.table}`];
    const owner = model.typesByUid[link.owner];
    return [`${name} in ${owner?.storage.version.table ?? storage.version.table}.${link.column}`];
  });

const ownerOf = (model: ContentModel, table: string): ContentType | undefined =>
  model.types
    .filter(({ collectionName, storage }) =>
      [collectionName, storage.version.table].some((name) => table.startsWith(`${name}_`)),
    )
    .toSorted((left, right) => right.collectionName.length - left.collectionName.length)[0];

/** Returns the remedy for code that reads a table of Strapi that Galley lacks. */
function remedyForTable(model: ContentModel, table: string): string {
  const owner = ownerOf(model, table);
  if (table.endsWith('_cmps') || table.startsWith('components_'))
    return `Components are JSON columns of their owner. ${DOCUMENT_SERVICE}.`;
  if (table.endsWith('_mph'))
    return `Links to files are stored with the attribute that has them. ${DOCUMENT_SERVICE}.`;
  if (table.endsWith('_lnk') || table.endsWith('_links')) {
    const links = owner === undefined ? [] : linksOf(model, owner);
    const stored = links.length === 0 ? '' : ` Links of ${owner?.uid ?? ''}: ${links.join(', ')}.`;
    const kind = 'Links are stored in columns or tables with other names, and refer to documents.';
    return `${kind}${stored} ${DOCUMENT_SERVICE}.`;
  }
  if (table.startsWith('strapi_')) return 'Settings of Strapi have no table. Use strapi.store.';
  if (table.startsWith('admin_')) return 'There is no admin panel, so its users have no table.';
  const tables = model.types.map(({ storage }) => storage.version.table);
  return `Tables of content: ${tables.join(', ')}. ${DOCUMENT_SERVICE}.`;
}

/** The part of Knex's dialects that runs statements. */
interface KnexClient {
  readonly config: object;
  transacting?: boolean;
  acquireConnection(): Promise<KnexConnection>;
  releaseConnection(connection: unknown): Promise<void>;
  initializePool(): void;
  _driver(): unknown;
  _query(connection: KnexConnection, statement: KnexStatement): Promise<KnexStatement>;
}

/** A statement of Knex, which expects its result in `response`. */
interface KnexStatement {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  readonly method?: string;
  response?: unknown;
  context?: unknown;
}

/** The connection that a statement runs on. */
interface KnexConnection {
  tx: Transaction | null;
  end: ((commits: boolean) => Promise<void>) | null;
  __knexUid?: string;
}

type KnexClientClass = new (config: unknown) => KnexClient;

interface KnexFunction {
  (table: string): unknown;
  readonly client: KnexClient;
  readonly withUserParams: (params: object) => KnexFunction;
}

interface KnexModule {
  readonly knex: (config: {
    readonly client: KnexClientClass;
    readonly useNullAsDefault: boolean;
  }) => KnexFunction;
}

const ROWS = /^\s*(?:select|with|pragma|explain|show|values)\b|\breturning\b/i;

/** Begins a transaction that Knex ends with a statement. */
const beginKnexTransaction = async (database: Database, connection: KnexConnection): Promise<void> => {
  const { tx, end } = await beginTransaction(database);
  connection.tx = tx;
  connection.end = (commits) => {
    connection.tx = null;
    connection.end = null;
    return end(commits);
  };
};

const toBinding = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return value === undefined ? null : value;
};

const firstNumber = ([row]: readonly Readonly<Record<string, unknown>>[]): number =>
  Number(Object.values(row ?? {})[0]);

/** Runs a statement, and stores its result where Knex's dialect reads it. */
const runSqlite = async (tx: Transaction, statement: KnexStatement): Promise<void> => {
  const bindings = (statement.bindings ?? []).map((value) =>
    typeof value === 'boolean' ? Number(value) : toBinding(value),
  );
  if (ROWS.test(statement.sql)) {
    statement.response = await tx.query(statement.sql, bindings);
    return;
  }
  const changes = await tx.execute(statement.sql, bindings);
  const lastID =
    statement.method === 'insert' ? firstNumber(await tx.query('select last_insert_rowid()', [])) : 0;
  statement.response = { changes, lastInsertRowid: lastID };
  statement.context = { changes, lastID };
};

const runPostgres = async (tx: Transaction, statement: KnexStatement): Promise<void> => {
  const bindings = (statement.bindings ?? []).map(toBinding);
  const command = /^\s*(\w+)/.exec(statement.sql)?.[1]?.toUpperCase() ?? '';
  if (ROWS.test(statement.sql)) {
    const rows = await tx.query(statement.sql, bindings);
    statement.response = { command: command === 'WITH' ? 'SELECT' : command, rows, rowCount: rows.length };
    return;
  }
  const rowCount = await tx.execute(statement.sql, bindings);
  statement.response = { command, rows: [], rowCount };
};

const RUNNERS = { sqlite: runSqlite, postgresql: runPostgres } as const;

/** Returns the name of the missing table if that is the cause of a driver's error, else undefined. */
const missingTable = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  if (Reflect.get(error, 'kind') !== 'TableDoesNotExist') return missingTable(Reflect.get(error, 'cause'));
  const table: unknown = Reflect.get(error, 'table');
  return typeof table === 'string' ? table.split('.').at(-1) : undefined;
};

const explain = (model: ContentModel, error: unknown): unknown => {
  const table = missingTable(error);
  if (table === undefined) return error;
  return createError(
    'strapi/unknown-table',
    { call: 'strapi.db.connection', table, remedy: remedyForTable(model, table) },
    { cause: error },
  );
};

/**
 * Returns a dialect of Knex that runs statements on the project's connections: in the transaction that the
 * calling code has joined, else each in a new transaction.
 */
function createKnexClient(
  Dialect: KnexClientClass,
  { model, database }: { readonly model: ContentModel; readonly database: Database },
): KnexClientClass {
  const withLinkTables = createLinkTables(model);
  const run = async (tx: Transaction, statement: KnexStatement): Promise<void> => {
    const rewritten: KnexStatement = { ...statement, sql: withLinkTables(statement.sql) };
    await RUNNERS[database.dialect.name](tx, rewritten);
    const { response, context } = rewritten;
    Object.assign(statement, { response, context });
  };
  const control = async (connection: KnexConnection, sql: string): Promise<boolean> => {
    const [, command = ''] = /^\s*(begin|commit|rollback)\s*(?:transaction)?;?\s*$/i.exec(sql) ?? [];
    if (command === '') return false;
    if (command.toLowerCase() === 'begin') await beginKnexTransaction(database, connection);
    else await connection.end?.(command.toLowerCase() === 'commit');
    return true;
  };
  return class extends Dialect {
    override _driver(): unknown {
      return {};
    }
    override initializePool(): void {}
    override async acquireConnection(): Promise<KnexConnection> {
      return { tx: null, end: null };
    }
    override async releaseConnection(): Promise<void> {}
    override async _query(connection: KnexConnection, statement: KnexStatement): Promise<KnexStatement> {
      try {
        if (await control(connection, statement.sql)) statement.response = { rows: [] };
        else if (connection.tx === null) await database.transact((tx) => run(tx, statement));
        else await run(connection.tx, statement);
      } catch (error) {
        throw explain(model, error);
      }
      return statement;
    }
  };
}

/** Returns a Knex instance whose statements run in a transaction. */
function knexInTransaction(knex: KnexFunction, tx: Transaction): KnexFunction {
  const clone = knex.withUserParams({});
  clone.client.transacting = true;
  clone.client.acquireConnection = async () => ({ tx, end: null });
  return clone;
}

interface KnexDependencies {
  readonly root: string;
  readonly model: ContentModel;
  readonly database: Database;
}

/** Knex on the project's database. Its package is loaded at the first use. */
interface ProjectKnex {
  /** @throws `strapi/knex-missing` */
  readonly connection: () => KnexFunction;
  readonly getConnection: (table: string | undefined) => unknown;
  readonly inTransaction: (tx: Transaction) => unknown;
}

/** Loads a module of Knex: the project's, if installed, else the one that Galley installs. */
const requireKnex = <T>(root: string, name: string): T => {
  const bases = [pathToFileURL(join(root, 'package.json')).href, import.meta.url];
  for (const place of bases) {
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
    // Code that supports several databases reads the name of the driver.
    Object.assign(opened.client.config, { client: KNEX_DRIVERS[database.dialect.name] });
    return opened;
  };
  return {
    connection,
    getConnection: (table) => (table === undefined ? connection() : connection()(table)),
    inTransaction: (tx) => knexInTransaction(connection(), tx),
  };
}
