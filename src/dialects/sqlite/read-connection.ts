import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { ReadConnection } from '../database-driver.js';
import type { SqlExpressions } from '../sql-expressions.js';
import { foldCase, SQLITE_FOLD } from './fold.js';
import { loadDriver } from './load-driver.js';
import { addReadBudget } from './read-budget.js';
import { sqlitePath } from './url.js';

const MAX_STATEMENTS = 500;
/** In WAL mode readers wait only while the file is recovered or its journal mode is switched. */
const BUSY_TIMEOUT_MS = 2000;

type PluckedStatement = Statement<unknown[], unknown>;

const prepare = (database: SqliteDatabase, sql: string): PluckedStatement =>
  database.prepare<unknown[], unknown>(sql).pluck();

const asTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const asNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new TypeError('The statement returned no number');
  return value;
};

/** Opens the file a second time, so that reads see only committed data. */
export async function openSqliteReadConnection(
  url: string,
  expressions: SqlExpressions,
): Promise<ReadConnection> {
  const Database = await loadDriver();
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  // Not opened as read-only, since SQLite must be able to recover the journal after a crash.
  database.pragma('journal_mode = WAL');
  database.pragma('query_only = ON');
  database.function(SQLITE_FOLD, { deterministic: true }, foldCase);
  const resetBudget = addReadBudget(database);
  const statements = new LRUCache<string, PluckedStatement>({ max: MAX_STATEMENTS });
  const statement = (sql: string): PluckedStatement => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    const prepared = prepare(database, sql);
    statements.set(sql, prepared);
    return prepared;
  };
  return {
    expressions,
    queryTexts: async (sql, parameters) => {
      resetBudget();
      return statement(sql).all(parameters).map(asTextOrNull);
    },
    queryNumber: async (sql, parameters) => asNumber(statement(sql).get(parameters)),
    close: async () => {
      database.close();
    },
  };
}
