import Database from 'better-sqlite3';
import pg from 'pg';
import { baselineStatements } from './baseline-statements.js';
import type { BaselineStatement } from './baseline-statements.js';

/** Runs a hand-written statement and returns the first column of its rows. */
export type RunBaseline = (
  name: BaselineStatement,
  parameters: readonly string[],
) => Promise<readonly unknown[]>;

const openSqlite = (file: string): RunBaseline => {
  const database = new Database(file, { readonly: true });
  const statements = new Map(
    Object.entries(baselineStatements('sqlite')).map(([name, sql]) => [name, database.prepare(sql).pluck()]),
  );
  return async (name, parameters) => statements.get(name)?.all(parameters) ?? [];
};

const openPostgres = (url: string): RunBaseline => {
  const statements = baselineStatements('postgresql');
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('connect', (client) => void client.query('SET jit = off'));
  return async (name, parameters) => {
    const query = { name, text: statements[name], values: [...parameters], rowMode: 'array' as const };
    const { rows } = await pool.query<[unknown]>(query);
    return rows.map(([text]) => text);
  };
};

/** Opens the database at `file:…` or `postgresql://…`. */
export function openBaseline(url: string): RunBaseline {
  return url.startsWith('file:') ? openSqlite(url.slice('file:'.length)) : openPostgres(url);
}
