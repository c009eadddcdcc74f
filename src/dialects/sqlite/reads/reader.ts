import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { BoundValue } from '../../sql-expressions.js';
import type { UncountedStatement } from '../../uncounted-statement.js';
import { addFunctions, OverBudget } from '../functions.js';
import type { AssertRunning } from '../functions.js';
import { loadDriver } from '../load-driver.js';
import { sqlitePath } from '../url.js';

const MAX_STATEMENTS = 500;
/** In WAL mode readers wait only while the file is recovered or its journal mode is switched. */
const BUSY_TIMEOUT_MS = 2000;

type PluckedStatement = Statement<unknown[], unknown>;

/** A connection that reads in the thread that calls it. */
export interface SqliteReader {
  readonly texts: (sql: string, parameters: readonly BoundValue[]) => readonly (string | null)[];
  /** Null where the answer does not show that it is within the limit of the statement. */
  readonly textsWithin: (
    statement: UncountedStatement,
    parameters: readonly BoundValue[],
  ) => readonly (string | null)[] | null;
  readonly number: (sql: string, parameters: readonly BoundValue[]) => number;
  /** Changes whenever another connection has written. */
  readonly dataVersion: () => number;
  readonly close: () => void;
}

const prepare = (database: SqliteDatabase, sql: string): PluckedStatement =>
  database.prepare<unknown[], unknown>(sql).pluck();

const asTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Null where what a statement does count is beyond its budget. */
const withinBudget = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof OverBudget) return null;
    throw error;
  }
};

const lengthOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

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
  const spending = addFunctions(database, assertRunning);
  const statements = new LRUCache<string, PluckedStatement>({ max: MAX_STATEMENTS });
  const dataVersion = prepare(database, 'pragma data_version');
  const statement = (sql: string): PluckedStatement => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    const prepared = prepare(database, sql);
    statements.set(sql, prepared);
    return prepared;
  };
  const texts: SqliteReader['texts'] = (sql, parameters) => {
    const prepared = statement(sql);
    spending.reset();
    return prepared.all(parameters).map(asTextOrNull);
  };
  return {
    texts,
    textsWithin: ({ sql, limit, costPerCharacter }, parameters) => {
      const read = withinBudget(() => texts(sql, parameters));
      if (read === null) return null;
      return spending.total() + lengthOf(read) * costPerCharacter <= limit ? read : null;
    },
    number: (sql, parameters) => {
      const prepared = statement(sql);
      spending.reset();
      return asNumber(prepared.get(parameters));
    },
    dataVersion: () => asNumber(dataVersion.get()),
    close: () => void database.close(),
  };
}
