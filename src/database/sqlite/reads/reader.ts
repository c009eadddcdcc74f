import { LRUCache } from 'lru-cache';
import { getOrCreate } from '../../../lib/collections.js';
import type { BoundValue } from '../../dialect/sql-expressions.js';
import { addFunctions } from '../functions.js';
import type { AssertRunning } from '../functions.js';
import { loadDriver, sqlitePath } from '../driver.js';
import type { SqliteStatement } from '../drivers/connection.js';

const MAX_STATEMENTS = 500;

/** A connection that reads in the thread that calls it. */
export interface SqliteReader {
  /** Returns the first column of every row. */
  readonly read: (sql: string, parameters: readonly BoundValue[]) => readonly unknown[];
  readonly close: () => void;
}

/** Opens a connection that sees only committed data. `assertRunning` may end a read. */
export async function openSqliteReader(url: string, assertRunning: AssertRunning): Promise<SqliteReader> {
  const open = await loadDriver();
  // Not opened as read-only, since SQLite must be able to recover the journal after a crash.
  const database = open(sqlitePath(url), { mode: 'write' });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA query_only = ON');
  const resetSpending = addFunctions(database, assertRunning);
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  return {
    read: (sql, parameters) => {
      const statement = getOrCreate(statements, sql, () => database.prepare(sql));
      resetSpending();
      return statement.values(parameters);
    },
    close: () => database.close(),
  };
}
