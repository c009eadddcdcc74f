import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database as SqliteDatabase } from 'better-sqlite3';
import { DanglingReferences, MigrationLockTimeout, groupColumns } from './migration-support.js';
import type { MigrationSession, MigrationSupport, SessionOptions, SessionRow } from './migration-support.js';
import { sqlitePath } from './sqlite-url.js';

const RETRY_MS = 20;
/** How long a single statement outside a turn may wait, which stops the process: only ever for another one switching the journal. */
const STATEMENT_WAIT_MS = 2000;

const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

const READ_COLUMNS = `SELECT m."name" AS "table", c."name" AS "column" FROM sqlite_master AS m JOIN pragma_table_info(m."name") AS c
WHERE m."type" = 'table' AND m."name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_BUSY');

/**
 * Tries until the database is free. SQLite's own waiting would stop this process while it waits, and with it the writer it may be
 * waiting for.
 */
const whenFree = async (database: SqliteDatabase, sql: string, waitMs: number): Promise<void> => {
  const deadline = Date.now() + waitMs;
  database.pragma('busy_timeout = 0');
  try {
    for (;;) {
      try {
        database.exec(sql);
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() >= deadline) throw new MigrationLockTimeout(waitMs, { cause: error });
      }
      await sleep(RETRY_MS);
    }
  } finally {
    database.pragma(`busy_timeout = ${STATEMENT_WAIT_MS}`);
  }
};

const assertReferences = (database: SqliteDatabase): void => {
  const dangling = database.prepare<[], { table: string }>('SELECT DISTINCT "table" FROM pragma_foreign_key_check').all();
  if (dangling.length > 0) throw new DanglingReferences(dangling.map(({ table }) => table));
};

const exclusively = async <T>(database: SqliteDatabase, waitMs: number, work: () => Promise<T>): Promise<T> => {
  await whenFree(database, 'PRAGMA journal_mode = WAL', waitMs);
  // Inside a transaction this setting would be ignored, and dropping a table for its successor would delete its children's rows.
  database.pragma('foreign_keys = OFF');
  await whenFree(database, 'BEGIN IMMEDIATE', waitMs);
  try {
    const result = await work();
    assertReferences(database);
    await whenFree(database, 'COMMIT', waitMs);
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
};

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'SQLITE_CANTOPEN') || error.message.includes('directory does not exist'));

/** A file that is not there and must not be made is stood for by an empty database in memory. */
const openDatabase = async (url: string, isWritten: boolean): Promise<SqliteDatabase> => {
  const { default: Database } = await import('better-sqlite3');
  try {
    return new Database(sqlitePath(url), { timeout: STATEMENT_WAIT_MS, fileMustExist: !isWritten });
  } catch (error) {
    if (isWritten || !isAbsent(error)) throw error;
    return new Database(':memory:');
  }
};

const runQuery = (database: SqliteDatabase, sql: string, parameters: readonly (string | number | null)[]): readonly SessionRow[] => {
  const statement = database.prepare<unknown[], SessionRow>(sql);
  const bound = parameters.length === 0 ? [] : [Object.fromEntries(parameters.map((value, index) => [String(index + 1), value]))];
  if (statement.reader) return statement.all(...bound);
  statement.run(...bound);
  return [];
};

const open = async (url: string, { waitMs, isWritten }: SessionOptions): Promise<MigrationSession> => {
  const database = await openDatabase(url, isWritten);
  return {
    query: async (sql, parameters = []) => runQuery(database, sql, parameters),
    script: async (sql) => {
      database.exec(sql);
    },
    columns: async () => groupColumns(runQuery(database, READ_COLUMNS, [])),
    exclusively: (work) => exclusively(database, waitMs, work),
    close: async () => {
      database.close();
    },
  };
};

export const SQLITE_MIGRATIONS: MigrationSupport = Object.freeze({
  engineProvider: 'sqlite',
  maxNameBytes: 10_000,
  createHistory: CREATE_HISTORY,
  folderOf: (url: string) => dirname(sqlitePath(url)),
  openSession: open,
});
