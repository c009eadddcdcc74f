import type { Pool } from 'pg';
import { createError } from '../../errors/catalogue.js';
import type { ReadConnection } from '../database-driver.js';
import { createPostgresExpressions } from './expressions.js';
import type { Folding } from './fold.js';
import { createPostgresPool } from './pool.js';
import type { BoundValue } from '../sql-expressions.js';
import { createStatementNames } from './statement-names.js';

/** JIT compilation takes longer than these statements, but PostgreSQL overestimates their costs. */
const SETTINGS = ['SET jit = off', 'SET default_transaction_read_only = on'];

/** Short, since a request should fail early where the server is busy. */
const CONNECTION_TIMEOUT_MS = 10_000;

const FOLDING_QUERY = `select current_setting('server_encoding') as encoding, case
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

const openPool = async (url: string): Promise<{ readonly pool: Pool; readonly folding: Folding }> => {
  const pool = await createPostgresPool(url, {
    settings: SETTINGS,
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  try {
    return { pool, folding: await loadFolding(pool) };
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/** Opens the pool that reads go through. */
export async function openPostgresReadConnection(url: string): Promise<ReadConnection> {
  const { pool, folding } = await openPool(url);
  const nameOf = createStatementNames('galley_');
  const run = async (
    text: string,
    parameters: readonly BoundValue[],
  ): Promise<readonly (readonly (string | null)[])[]> => {
    const name = nameOf(text);
    const { rows } = await pool.query<(string | null)[]>({
      text,
      values: [...parameters],
      rowMode: 'array',
      ...(name === undefined ? {} : { name }),
    });
    return rows;
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
