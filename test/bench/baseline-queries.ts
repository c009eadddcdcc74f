import Database from 'better-sqlite3';
import pg from 'pg';
import { baselineStatements } from './baseline-statements.js';
import type { BaselineStatement } from './baseline-statements.js';

/** Runs a hand-written statement and returns the first column of its rows. */
export type RunBaseline = (
  name: BaselineStatement,
  parameters: readonly string[],
) => Promise<readonly unknown[]>;

export interface Baseline {
  readonly run: RunBaseline;
  readonly close: () => Promise<void>;
}

const openSqlite = (file: string): Baseline => {
  const database = new Database(file, { readonly: true });
  const statements = new Map(
    Object.entries(baselineStatements('sqlite')).map(([name, sql]) => [name, database.prepare(sql).pluck()]),
  );
  return {
    run: async (name, parameters) => statements.get(name)?.all(parameters) ?? [],
    close: async () => void database.close(),
  };
};

const openPostgres = (url: string): Baseline => {
  const statements = baselineStatements('postgresql');
  const pool = new pg.Pool({ connectionString: url, max: 8, options: '-c jit=off' });
  const run: RunBaseline = async (name, parameters) => {
    const query = { name, text: statements[name], values: [...parameters], rowMode: 'array' as const };
    const { rows } = await pool.query<[unknown]>(query);
    return rows.map(([text]) => text);
  };
  return { run, close: () => pool.end() };
};

/** Opens the database at `file:…` or `postgresql://…`. */
export function openBaseline(url: string): Baseline {
  return url.startsWith('file:') ? openSqlite(url.slice('file:'.length)) : openPostgres(url);
}
