import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { getOrCreate } from '../../../lib/collections.js';
import type { BoundValue } from '../../dialect/sql-expressions.js';
import { addFunctions } from '../functions.js';
import type { AssertRunning } from '../functions.js';
import { loadDriver, sqlitePath } from '../driver.js';

const MAX_STATEMENTS = 500;
/** In WAL mode readers wait only while the file is recovered or its journal mode is switched. */
const BUSY_TIMEOUT_MS = 2000;

type PluckedStatement = Statement<unknown[], unknown>;

/** A connection that reads in the thread that calls it. */
export interface SqliteReader {
  /** Returns the first column of every row. */
  readonly read: (sql: string, parameters: readonly BoundValue[]) => readonly unknown[];
  readonly close: () => void;
}

const prepare = (database: SqliteDatabase, sql: string): PluckedStatement =>
  database.prepare<unknown[], unknown>(sql).pluck();

/** Opens a connection that sees only committed data. `assertRunning` may end a read. */
export async function openSqliteReader(url: string, assertRunning: AssertRunning): Promise<SqliteReader> {
  const Database = await loadDriver();
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  // Not opened as read-only, since SQLite must be able to recover the journal after a crash.
  database.pragma('journal_mode = WAL');
  database.pragma('query_only = ON');
  const resetSpending = addFunctions(database, assertRunning);
  const statements = new LRUCache<string, PluckedStatement>({ max: MAX_STATEMENTS });
  return {
    read: (sql, parameters) => {
      const statement = getOrCreate(statements, sql, () => prepare(database, sql));
      resetSpending();
      return statement.all(parameters);
    },
    close: () => void database.close(),
  };
}
