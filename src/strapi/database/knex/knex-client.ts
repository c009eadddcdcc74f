import type { Database, Transaction } from '../../../database/database.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentModel } from '../../../model/model.js';
import { beginTransaction } from '../manual-transaction.js';
import { createLinkTables } from './link-tables.js';
import { remedyForTable } from './table-remedies.js';

/** The part of Knex's dialects that runs statements. */
export interface KnexClient {
  readonly config: object;
  transacting?: boolean;
  acquireConnection(): Promise<KnexConnection>;
  releaseConnection(connection: unknown): Promise<void>;
  initializePool(): void;
  _driver(): unknown;
  _query(connection: KnexConnection, statement: KnexStatement): Promise<KnexStatement>;
}

/** A statement of Knex, whose result it expects in `response`. */
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

export interface KnexFunction {
  (table: string): unknown;
  readonly client: KnexClient;
  readonly withUserParams: (params: object) => KnexFunction;
}

export interface KnexModule {
  readonly knex: (config: {
    readonly client: KnexClientClass;
    readonly useNullAsDefault: boolean;
  }) => KnexFunction;
}

const ROWS = /^\s*(?:select|with|pragma|explain|show|values)\b|\breturning\b/i;

/** Begins a transaction that Knex ends by a statement. */
const begin = async (database: Database, connection: KnexConnection): Promise<void> => {
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

/** Runs a statement, and puts its result where the dialect looks for it. */
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
 * Makes one of Knex's dialects run its statements on the project's own connections: in the transaction that
 * the calling code has joined, or else each in one of its own.
 */
export function createKnexClient(
  Dialect: KnexClientClass,
  { model, database }: { readonly model: ContentModel; readonly database: Database },
): KnexClientClass {
  const withLinkTables = createLinkTables(model);
  const run = async (tx: Transaction, statement: KnexStatement): Promise<void> => {
    const answered: KnexStatement = { ...statement, sql: withLinkTables(statement.sql) };
    await RUNNERS[database.dialect.name](tx, answered);
    const { response, context } = answered;
    Object.assign(statement, { response, context });
  };
  const control = async (connection: KnexConnection, sql: string): Promise<boolean> => {
    const [, command = ''] = /^\s*(begin|commit|rollback)\s*(?:transaction)?;?\s*$/i.exec(sql) ?? [];
    if (command === '') return false;
    if (command.toLowerCase() === 'begin') await begin(database, connection);
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

/** Returns Knex whose statements run in a transaction. */
export function knexInTransaction(knex: KnexFunction, tx: Transaction): KnexFunction {
  const clone = knex.withUserParams({});
  clone.client.transacting = true;
  clone.client.acquireConnection = async () => ({ tx, end: null });
  return clone;
}
