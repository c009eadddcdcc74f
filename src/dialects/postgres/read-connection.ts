import type { Pool, QueryArrayConfig } from 'pg';
import { createError } from '../../errors/catalogue.js';
import type { ReadConnection, ReadOptions } from '../database-driver.js';
import { UNLIMITED_READS } from '../database-driver.js';
import { createPostgresExpressions } from './expressions.js';
import type { Folding } from './fold.js';
import { openPostgresPool } from './pool.js';
import { createQuickStatements } from './quick-statements.js';
import { toReadError } from './read-budget.js';
import type { BoundValue } from '../sql-expressions.js';
import type { SessionKind } from './session.js';
import { withTransactionSettings } from './session.js';
import { createStatementNames } from './statement-names.js';

/** JIT compilation takes longer than these statements, but PostgreSQL overestimates their costs. */
const SETTINGS = ['SET jit = off', 'SET default_transaction_read_only = on'];

/** Short, since a request should fail early where the server is busy. */
const CONNECTION_TIMEOUT_MS = 10_000;

/** Selects how the server can fold case. */
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

/** Opens a pool for reads, and finds out how its server folds case. */
export const openReadPool = async (
  url: string,
  { timeoutMs }: ReadOptions = UNLIMITED_READS,
): Promise<ReadPool> => {
  const { pool, kind } = await openPostgresPool(url, {
    settings: timeoutMs === null ? SETTINGS : [...SETTINGS, `SET statement_timeout = ${timeoutMs}`],
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  try {
    return { pool, kind, folding: await loadFolding(pool) };
  } catch (error) {
    await pool.end();
    throw error;
  }
};

type TextRow = (string | null)[];
type RunQuery = (query: QueryArrayConfig) => Promise<readonly TextRow[]>;

/** Runs a query in a transaction that begins with the settings, where sessions do not keep them. */
const runWithSettings = async (
  pool: Pool,
  settings: string,
  query: QueryArrayConfig,
): Promise<readonly TextRow[]> => {
  const client = await pool.connect();
  try {
    const { rows } = await withTransactionSettings(client, 'BEGIN READ ONLY', settings, () =>
      client.query<TextRow>(query),
    );
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
};

/**
 * Where sessions are pooled, a timeout takes a transaction, which costs more than a quick statement. Those
 * that were quick before run without one.
 */
const createPooledRunQuery = (pool: Pool, settings: string | null, timeoutMs: number | null): RunQuery => {
  const runPlain: RunQuery = async (query) => (await pool.query<TextRow>(query)).rows;
  if (timeoutMs === null)
    return settings === null ? runPlain : (query) => runWithSettings(pool, settings, query);
  const timeout = `set_config('statement_timeout', '${timeoutMs}', true)`;
  if (settings !== null) return (query) => runWithSettings(pool, `${settings}, ${timeout}`, query);
  const quick = createQuickStatements();
  return (query) =>
    quick.time(query.text, (isQuick) =>
      isQuick ? runPlain(query) : runWithSettings(pool, `select ${timeout}`, query),
    );
};

const createRunQuery = (
  pool: Pool,
  { isPooled, transactionSettings }: SessionKind,
  { timeoutMs }: ReadOptions,
): RunQuery => createPooledRunQuery(pool, transactionSettings, isPooled ? timeoutMs : null);

/** Opens the pool that reads go through. Statements are named unless sessions are pooled. */
export async function openPostgresReadConnection(
  url: string,
  options: ReadOptions = UNLIMITED_READS,
): Promise<ReadConnection> {
  const { pool, kind, folding } = await openReadPool(url, options);
  const runQuery = createRunQuery(pool, kind, options);
  const nameOf = createStatementNames('galley_');
  const run = (text: string, parameters: readonly BoundValue[]): Promise<readonly TextRow[]> => {
    const name = kind.isPooled ? undefined : nameOf(text);
    return runQuery({
      text,
      values: [...parameters],
      rowMode: 'array',
      ...(name === undefined ? {} : { name }),
    }).catch((error: unknown) => {
      throw toReadError(error, options);
    });
  };
  return {
    expressions: createPostgresExpressions(folding),
    queryTexts: async (sql, parameters) => (await run(sql, parameters)).map(([text]) => text ?? null),
    queryNumber: async (sql, parameters) => {
      const [row] = await run(sql, parameters);
      if (row?.[0] === null || row?.[0] === undefined)
        throw new TypeError('The statement returned no number');
      return Number(row[0]);
    },
    close: () => pool.end(),
  };
}
