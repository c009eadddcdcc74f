import type { Pool } from 'pg';
import { fail } from '../errors/catalogue.js';
import type { BoundValue, Dialect, ReadConnection } from './dialect.js';
import type { Folding } from './postgres-fold.js';
import { createPostgresPool } from './postgres-pool.js';
import { createStatementNames } from './statement-names.js';

/** Compiling a statement to machine code takes longer than running it, and its costs are guessed high. */
const SETTINGS = ['SET jit = off', 'SET default_transaction_read_only = on'];

/** Whoever reads would rather hear that the server is busy. */
const PATIENCE_MS = 10_000;

const CAPABILITIES = `select current_setting('server_encoding') as encoding, case
  when exists (select from pg_collation where collname = 'pg_c_utf8') then 'builtin'
  when exists (select from pg_collation where collname = 'und-x-icu') then 'icu'
  else 'spelled' end as folding`;

const askCapabilities = async (pool: Pool): Promise<Folding> => {
  const { rows } = await pool.query<{ readonly encoding: string; readonly folding: Folding }>(CAPABILITIES);
  const [found] = rows;
  if (found?.encoding !== 'UTF8') throw fail('database/encoding', { encoding: found?.encoding ?? 'unknown' });
  return found.folding;
};

const openPool = async (url: string): Promise<{ readonly pool: Pool; readonly folding: Folding }> => {
  const pool = await createPostgresPool(url, { settings: SETTINGS, patience: PATIENCE_MS });
  try {
    return { pool, folding: await askCapabilities(pool) };
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/**
 * Opens the pool that reads go through.
 *
 * @param withFolding the dialect that folds case in the way this server can
 */
export async function openPostgresReads(url: string, withFolding: (folding: Folding) => Dialect): Promise<ReadConnection> {
  const { pool, folding } = await openPool(url);
  const nameOf = createStatementNames('galley_');
  const run = async (text: string, parameters: readonly BoundValue[]): Promise<readonly (readonly (string | null)[])[]> => {
    const name = nameOf(text);
    const { rows } = await pool.query<(string | null)[]>({ text, values: [...parameters], rowMode: 'array', ...(name === undefined ? {} : { name }) });
    return rows;
  };
  return {
    dialect: withFolding(folding),
    texts: async (sql, parameters) => (await run(sql, parameters)).map(([text]) => text ?? null),
    number: async (sql, parameters) => {
      const [row] = await run(sql, parameters);
      if (row?.[0] === null || row?.[0] === undefined) throw new TypeError('The statement did not answer a number');
      return Number(row[0]);
    },
    close: () => pool.end(),
  };
}
