import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { BoundValue } from '../sql-expressions.js';
import { addFunctions } from './functions.js';
import type { AssertRunning } from './functions.js';
import { loadDriver } from './load-driver.js';
import { sqlitePath } from './url.js';

const MAX_STATEMENTS = 500;
/** In WAL mode readers wait only while the file is recovered or its journal mode is switched. */
const BUSY_TIMEOUT_MS = 2000;

type PluckedStatement = Statement<unknown[], unknown>;

/** A connection that reads in the thread that calls it. */
export interface SqliteReader {
  readonly texts: (sql: string, parameters: readonly BoundValue[]) => readonly (string | null)[];
  readonly number: (sql: string, parameters: readonly BoundValue[]) => number;
  /** Changes whenever another connection has written. */
  readonly dataVersion: () => number;
  readonly close: () => void;
}

const prepare = (database: SqliteDatabase, sql: string): PluckedStatement =>
  database.prepare<unknown[], unknown>(sql).pluck();

const asTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const asNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new TypeError('The statement returned no number');
  return value;
};

/** Opens a connection that sees only committed data. `assertRunning` may end what it reads. */
export async function openSqliteReader(url: string, assertRunning: AssertRunning): Promise<SqliteReader> {
  const Database = await loadDriver();
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  // Not opened as read-only, since SQLite must be able to recover the journal after a crash.
  database.pragma('journal_mode = WAL');
  database.pragma('query_only = ON');
  const resetBudget = addFunctions(database, assertRunning);
  const statements = new LRUCache<string, PluckedStatement>({ max: MAX_STATEMENTS });
  const dataVersion = prepare(database, 'pragma data_version');
  const statement = (sql: string): PluckedStatement => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    const prepared = prepare(database, sql);
    statements.set(sql, prepared);
    return prepared;
  };
  return {
    texts: (sql, parameters) => {
      const prepared = statement(sql);
      resetBudget();
      return prepared.all(parameters).map(asTextOrNull);
    },
    number: (sql, parameters) => {
      const prepared = statement(sql);
      resetBudget();
      return asNumber(prepared.get(parameters));
    },
    dataVersion: () => asNumber(dataVersion.get()),
    close: () => void database.close(),
  };
}
