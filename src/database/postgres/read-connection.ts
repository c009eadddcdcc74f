import type { Pool, PoolClient } from 'pg';
import { createError } from '../../errors/catalogue.js';
import type { LazySignal } from '../../lib/resources.js';
import { UNLIMITED_READS } from '../dialect/database-driver.js';
import type { ReadConnection, ReadOptions } from '../dialect/database-driver.js';
import type { BoundValue } from '../dialect/sql-expressions.js';
import { createStatementNames, openPostgresPool, useOf, withTransactionSettings } from './connections.js';
import type { SessionKind } from './connections.js';
import { createPostgresExpressions, toReadError } from './expressions.js';
import type { Folding } from './search.js';

/**
 * Milliseconds that a statement may still run after its read was aborted. Most statements end sooner, which
 * costs less than a new connection, which plans every statement again.
 */
const GRACE = 100;

/**
 * Runs `work` on a connection of the pool. Closes the connection if the signal aborts and `work` continues
 * for long; the server then ends its statement. A cancel request might hit the next statement.
 *
 * @throws `request/abandoned` where the signal has aborted
 */
async function withReadClient<T>(
  pool: Pool,
  signal: LazySignal | undefined,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const mayWait = pool.idleCount === 0;
  const client = await pool.connect();
  // The client may have disconnected while all connections were in use.
  if (mayWait && signal?.().aborted === true) {
    client.release();
    throw createError('request/abandoned');
  }
  let isReleased = false;
  const release = (closes: boolean): void => {
    if (isReleased) return;
    isReleased = true;
    client.release(closes);
  };
  let isAbandoned = false;
  let deadline: NodeJS.Timeout | undefined;
  const abandon = (): void => {
    if (isReleased) return;
    isAbandoned = true;
    deadline = setTimeout(release, GRACE, true);
  };
  /** Most statements end before the first check. */
  const watch = (): void => {
    const left = signal?.();
    if (left?.aborted === true) abandon();
    else left?.addEventListener('abort', abandon);
  };
  const watching = setTimeout(watch, GRACE);
  try {
    const result = await work(client);
    release(false);
    return result;
  } catch (error) {
    release(true);
    throw isAbandoned ? createError('request/abandoned') : error;
  } finally {
    clearTimeout(watching);
    clearTimeout(deadline);
  }
}

const SETTINGS = [
  // JIT compilation takes longer than these statements, but PostgreSQL overestimates their costs.
  'SET jit = off',
  // Its default is that of rotating disks: rather than fetch a few rows, PostgreSQL reads whole indexes then.
  `SELECT set_config('random_page_cost', '1.1', false) WHERE current_setting('random_page_cost') = '4'`,
  'SET default_transaction_read_only = on',
  // The server, if it supports this, ends a statement so many milliseconds after its connection closes.
  `DO $$ BEGIN SET client_connection_check_interval = 500; EXCEPTION WHEN OTHERS THEN NULL; END $$`,
];

/** Short, since a request should fail early where the server is busy. */
const CONNECTION_TIMEOUT_MS = 10_000;

/** Selects the case folding that the server supports. */
export const FOLDING_QUERY = `select current_setting('server_encoding') as encoding, case
  when exists (select from pg_collation where collname = 'pg_c_utf8') then 'builtin'
  when exists (select from pg_collation where collname = 'und-x-icu') then 'icu'
  else 'translate' end as folding`;

const loadFolding = async (pool: Pool): Promise<Folding> => {
  const { rows } = await pool.query<{ readonly encoding: string; readonly folding: Folding }>(FOLDING_QUERY);
  const [server] = rows;
  if (server?.encoding !== 'UTF8')
    throw createError('database/unsupported-encoding', { encoding: server?.encoding ?? 'unknown' });
  return server.folding;
};

interface ReadPool {
  readonly pool: Pool;
  readonly kind: SessionKind;
  readonly folding: Folding;
}

/** Opens a pool for reads, and detects the case folding of its server. */
export const openReadPool = async (
  url: string,
  { timeoutMs, onLost }: ReadOptions = UNLIMITED_READS,
): Promise<ReadPool> => {
  const { pool, kind } = await openPostgresPool(url, {
    settings: timeoutMs === null ? SETTINGS : [...SETTINGS, `SET statement_timeout = ${timeoutMs}`],
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
    onLost,
  });
  try {
    return { pool, kind, folding: await loadFolding(pool) };
  } catch (error) {
    await pool.end();
    throw error;
  }
};

interface TextStatement {
  /** Undefined: the server does not keep the statement. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly BoundValue[];
}

type Texts = readonly (string | null)[];

type RunQuery = (query: TextStatement, signal: LazySignal | undefined) => Promise<Texts>;

/** Keeps values the text that the server sends. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Runs a statement that selects one column. */
const queryTexts = async (client: PoolClient, { name, text, values }: TextStatement): Promise<Texts> => {
  const query = { name, text, values: [...values], rowMode: 'array' as const, types: AS_TEXT };
  const { rows } = await client.query<(string | null)[]>(query);
  return rows.map((row) => row[0] ?? null);
};

/** Runs a query in a transaction that begins with the settings, where sessions do not keep them. */
const runWithSettings =
  (pool: Pool, settings: string): RunQuery =>
  async (query, signal) =>
    withReadClient(pool, signal, (client) =>
      withTransactionSettings(client, 'BEGIN READ ONLY', settings, () => queryTexts(client, query)),
    );

/** A pooled session keeps neither settings nor a timeout, so each transaction sets them. */
const createRunQuery = (
  pool: Pool,
  { isPooled, transactionSettings }: SessionKind,
  { timeoutMs }: ReadOptions,
): RunQuery => {
  const timeout =
    isPooled && timeoutMs !== null ? `set_config('statement_timeout', '${timeoutMs}', true)` : null;
  const settings = [transactionSettings, timeout].filter((each) => each !== null).join(', ');
  if (settings !== '')
    return runWithSettings(pool, transactionSettings === null ? `select ${settings}` : settings);
  return async (query, signal) => withReadClient(pool, signal, (client) => queryTexts(client, query));
};

/** Opens the pool for reads. Statements are named unless sessions are pooled. */
export async function openPostgresReadConnection(
  url: string,
  options: ReadOptions = UNLIMITED_READS,
): Promise<ReadConnection> {
  const { pool, kind, folding } = await openReadPool(url, options);
  const runQuery = createRunQuery(pool, kind, options);
  const nameOf = createStatementNames('galley_');
  const run = (text: string, parameters: readonly BoundValue[], signal?: LazySignal): Promise<Texts> => {
    const name = kind.isPooled ? undefined : nameOf(text);
    return runQuery({ name, text, values: parameters }, signal).catch((error: unknown) => {
      throw toReadError(error, options);
    });
  };
  return {
    expressions: createPostgresExpressions(folding),
    queryTexts: run,
    queryNumber: async (sql, parameters, signal) => {
      const [text = null] = await run(sql, parameters, signal);
      if (text === null) throw new TypeError('The statement returned no number');
      return Number(text);
    },
    use: () => useOf(pool),
    close: () => pool.end(),
  };
}
