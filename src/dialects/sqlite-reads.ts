import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { createLruCache } from '../lib/lru-cache.js';
import type { Dialect, ReadConnection } from './dialect.js';
import { foldCase, SQLITE_FOLD } from './sqlite-fold.js';
import { sqlitePath } from './sqlite-url.js';

const STATEMENTS = 500;
/** Readers never wait for a writer in WAL mode, only for a file that is being recovered or switched to it. */
const WAIT_MS = 2000;

type PluckedStatement = Statement<unknown[], unknown>;

const prepare = (database: SqliteDatabase, sql: string): PluckedStatement => database.prepare<unknown[], unknown>(sql).pluck();

const asTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const asNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new TypeError('The statement did not answer a number');
  return value;
};

/** Opens the file a second time, so that reads see what is committed and nothing else. */
export async function openSqliteReads(url: string, dialect: Dialect): Promise<ReadConnection> {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: WAIT_MS });
  // Not opened read-only: then SQLite could neither recover the journal after a crash nor make its index.
  database.pragma('journal_mode = WAL');
  database.pragma('query_only = ON');
  database.function(SQLITE_FOLD, { deterministic: true }, foldCase);
  const statements = createLruCache<string, PluckedStatement>(STATEMENTS);
  const statement = (sql: string): PluckedStatement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = prepare(database, sql);
    statements.set(sql, made);
    return made;
  };
  return {
    dialect,
    texts: async (sql, parameters) => statement(sql).all(parameters).map(asTextOrNull),
    number: async (sql, parameters) => asNumber(statement(sql).get(parameters)),
    close: async () => {
      database.close();
    },
  };
}
