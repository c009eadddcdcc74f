import { LRUCache } from 'lru-cache';
import type { Client, ClientBase, ClientConfig, Pool } from 'pg';
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import { defined } from '../../lib/assert.js';
import type { PoolUse } from '../../lib/resources.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { createWriteAdapter } from '../prisma/write-adapter.js';
import type { AdapterDecorator, WriteAdapter } from '../prisma/write-adapter.js';
import { PLANNED_PER_RUN } from './search.js';

/** Options that Prisma and Galley read from the query of a PostgreSQL URL. The driver ignores it. */
interface UrlOptions {
  /** The schema to work in. Null: the first of the role's search path. */
  readonly schema: string | null;
  /** True if a pooler gives each transaction another session. Null if the URL does not specify it. */
  readonly isPooled: boolean | null;
}

/** The URL may lack a host, which `URL` refuses. */
const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');

export function readUrlOptions(url: string): UrlOptions {
  const query = queryOf(url);
  const pgbouncer = query.get('pgbouncer');
  return {
    schema: query.get('schema') || null,
    isPooled: pgbouncer === null ? null : pgbouncer === 'true',
  };
}

/** Properties of the sessions of one URL. */
export interface SessionKind {
  /**
   * True if each transaction may get another session, as behind PgBouncer in transaction mode. Names of
   * statements, settings, session locks and LISTEN are then lost or collide with those of other clients.
   */
  readonly isPooled: boolean;
  /** The schema to work in. */
  readonly schema: string;
  /** Statements that each session begins with. Empty if sessions are pooled. */
  readonly settings: readonly string[];
  /** The query that each transaction begins with. Null where the session has the settings already. */
  readonly transactionSettings: string | null;
}

const UTC = /^(Etc\/)?(UTC|GMT)$/;

const PROBE = `select pg_backend_pid() as pid, current_schema()::text as schema,
  current_setting('TimeZone') as "timeZone"`;

interface Probe {
  readonly pid: number;
  readonly schema: string | null;
  readonly timeZone: string;
}

/** The server process that was announced when the connection was opened. The driver's type lacks it. */
const announcedProcess = (client: ClientBase): unknown => Reflect.get(client, 'processID');

const settingsOfTransaction = (wanted: string | null, { schema, timeZone }: Probe): string | null => {
  const settings = [
    ...(UTC.test(timeZone) ? [] : [`set_config('TimeZone', 'UTC', true)`]),
    ...(wanted === null || wanted === schema
      ? []
      : [`set_config('search_path', ${quoteText(quoteName(wanted))}, true)`]),
  ];
  return settings.length === 0 ? null : `select ${settings.join(', ')}`;
};

/**
 * Detects the properties of the sessions of a new connection. A pooler announces an invented process, because
 * it has not chosen a session yet; that process differs from the one that executes a query.
 */
async function detectSessionKind(client: ClientBase, url: string): Promise<SessionKind> {
  const { schema, isPooled } = readUrlOptions(url);
  const { rows } = await client.query<Probe>(PROBE);
  const probe = defined(rows[0], 'The process of the session');
  const kind = { schema: schema ?? probe.schema ?? 'public' };
  if (isPooled ?? announcedProcess(client) !== probe.pid)
    return {
      ...kind,
      isPooled: true,
      settings: [],
      transactionSettings: settingsOfTransaction(schema, probe),
    };
  const searchPath = schema === null ? [] : [`SET search_path TO ${quoteName(schema)}`];
  return {
    ...kind,
    isPooled: false,
    settings: ["SET TIME ZONE 'UTC'", ...searchPath],
    transactionSettings: null,
  };
}

/** Rolls back. If the connection is lost, the server rolls back, and the caller gets the first error. */
export async function rollBack(run: (sql: string) => Promise<unknown>): Promise<void> {
  await run('ROLLBACK').catch(() => undefined);
}

/** Runs the work of the transaction that has begun, and ends it: commits, or rolls back if the work fails. */
export async function endTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await rollBack((sql) => client.query(sql));
    throw error;
  }
}

/** Runs `work` in a separate transaction that begins with the settings. */
export async function withTransactionSettings<T>(
  client: ClientBase,
  begin: string,
  settings: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`${begin}; ${settings}`);
  return endTransaction(client, work);
}

const POOL_OPTIONS = {
  max: 8,
  keepAlive: true,
  /** Limits the server's memory for the prepared statements of a connection. */
  maxLifetimeSeconds: 1800,
  application_name: 'galley',
};

interface PoolOptions {
  /** Statements that every connection runs first, such as `SET jit = off`, unless sessions are pooled. */
  readonly settings: readonly string[];
  /** Milliseconds to wait for a free connection. */
  readonly connectionTimeoutMs: number;
  /** Called when an idle connection is lost. */
  readonly onLost?: (() => void) | undefined;
}

interface OpenPool {
  readonly pool: Pool;
  readonly kind: SessionKind;
}

export const useOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolUse => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
});

/** Opens a pool whose connections use UTC, the schema of the URL, and the given settings. */
export async function openPostgresPool(
  url: string,
  { settings, connectionTimeoutMs, onLost = () => undefined }: PoolOptions,
): Promise<OpenPool> {
  const { default: pg } = await import('pg');
  let kind: SessionKind | undefined;
  const pool = new pg.Pool({
    ...POOL_OPTIONS,
    connectionString: url,
    connectionTimeoutMillis: connectionTimeoutMs,
    onConnect: async (client) => {
      kind ??= await detectSessionKind(client, url);
      if (!kind.isPooled) await client.query([...kind.settings, ...settings].join('; '));
    },
  });
  // A lost idle connection is replaced, and where one in use is lost, its query fails. Without listeners, the
  // errors would end the process.
  pool.on('error', () => onLost());
  pool.on('connect', (client) => void client.on('error', () => undefined));
  try {
    (await pool.connect()).release();
    return { pool, kind: defined(kind, 'What the sessions keep') };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

interface OpenClient {
  readonly client: Client;
  readonly kind: SessionKind;
}

/** Opens a dedicated connection, in UTC and the schema of the URL. */
export async function openPostgresClient(
  url: string,
  config: Omit<ClientConfig, 'connectionString'>,
): Promise<OpenClient> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...config, connectionString: url });
  // Without a listener, the error of a lost connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const kind = await detectSessionKind(client, url);
    if (!kind.isPooled) await client.query(kind.settings.join('; '));
    return { client, kind };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** The number of statements that the server keeps prepared per connection. */
const MAX_NAMES = 500;

/**
 * Names statements from their second run on, so that statements that run once use no memory of the server.
 * Each name belongs to one statement.
 */
export function createStatementNames(prefix: string): (sql: string) => string | undefined {
  const names = new LRUCache<string, string>({ max: MAX_NAMES });
  const executedOnce = new LRUCache<string, true>({ max: MAX_NAMES });
  let count = 0;
  return (sql) => {
    // Without a name a statement is planned for its values.
    if (sql.includes(PLANNED_PER_RUN)) return undefined;
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (executedOnce.get(sql) === undefined) {
      executedOnce.set(sql, true);
      return undefined;
    }
    count += 1;
    names.set(sql, `${prefix}${count}`);
    return names.get(sql);
  };
}

/** The driver treats an empty name as no name. */
const UNNAMED = '';

/** Long, so that writes of a burst wait instead of failing. */
const CONNECTION_TIMEOUT_MS = 60_000;

const execute = (queryable: SqlQueryable, sql: string): Promise<number> =>
  queryable.executeRaw({ sql, args: [], argTypes: [] });

/** Begins each transaction with settings, where sessions do not keep them. */
const withSettings =
  (settings: string): AdapterDecorator =>
  async (adapter) => {
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await begin(isolationLevel);
      try {
        await execute(transaction, settings);
        return transaction;
      } catch (error) {
        await rollBack((sql) => execute(transaction, sql));
        await transaction.rollback();
        throw error;
      }
    };
    return adapter;
  };

/** Statements of Prisma Client that read only. */
const READ = /^\s*select\b/i;

/** Reports each commit, of transactions and of single statements. */
const noteWrites = (adapter: SqlDriverAdapter, onWrite: () => void): SqlDriverAdapter => {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    if (!READ.test(query.sql)) onWrite();
    return result;
  };
  adapter.executeRaw = async (query) => {
    const changed = await executeRaw(query);
    onWrite();
    return changed;
  };
  adapter.startTransaction = async (isolationLevel) => {
    const transaction = await startTransaction(isolationLevel);
    const commit = transaction.commit.bind(transaction);
    transaction.commit = async () => {
      await commit();
      onWrite();
    };
    return transaction;
  };
  return adapter;
};

/**
 * Creates the adapter that Prisma Client writes through, with a separate pool. Statements are named unless
 * sessions are pooled. Prisma Client writes the name of the schema into every statement.
 */
export async function createPostgresAdapter(
  url: string,
  onWrite: () => void = () => undefined,
): Promise<WriteAdapter> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { pool, kind } = await openPostgresPool(url, {
    settings: [],
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  const nameOf = createStatementNames('galley_');
  const factory = new PrismaPg(pool, {
    schema: kind.schema,
    disposeExternalPool: true,
    statementNameGenerator: ({ sql }) => (kind.isPooled ? UNNAMED : (nameOf(sql) ?? UNNAMED)),
  });
  const { transactionSettings } = kind;
  const decorate: AdapterDecorator =
    transactionSettings === null ? async (adapter) => adapter : withSettings(transactionSettings);
  const adapter = createWriteAdapter(factory, async (connected, isInTransaction) =>
    noteWrites(await decorate(connected, isInTransaction), onWrite),
  );
  return { ...adapter, use: () => useOf(pool) };
}
