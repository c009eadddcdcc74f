import type BetterSqlite3 from 'better-sqlite3';
import { BUSY_TIMEOUT_MS, SqliteError } from './connection.js';
import type { OpenSqlite, PrepareOptions, SqliteConnection, SqliteStatement } from './connection.js';

type Module = typeof BetterSqlite3;

/** An error for a missing folder has no code, nor has one for a text of several statements. */
const toSqliteError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  if ('code' in error && error.name === 'SqliteError')
    return new SqliteError(message, String(error.code), { cause: error });
  if (error instanceof TypeError && message.startsWith('Cannot open database'))
    return new SqliteError(message, 'SQLITE_CANTOPEN', { cause: error });
  if (error instanceof RangeError) return new SqliteError(message, 'SQLITE_ERROR', { cause: error });
  return error;
};

const run = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toSqliteError(error);
  }
};

const prepare = (
  database: BetterSqlite3.Database,
  sql: string,
  { bigints = false }: PrepareOptions = {},
): SqliteStatement => {
  const statement = run(() => database.prepare<unknown[], unknown>(sql)).safeIntegers(bigints);
  return {
    columns: () =>
      statement.reader ? statement.columns().map(({ name, type }) => ({ name, declaredType: type })) : [],
    values: (parameters = []) => run(() => statement.pluck().all(parameters)),
    rows: (parameters = []) => run(() => statement.raw().all(parameters) as unknown[][]),
    records: (parameters = []) =>
      run(() => statement.raw(false).pluck(false).all(parameters) as Record<string, unknown>[]),
    run: (parameters = []) => run(() => statement.run(parameters).changes),
  };
};

/** Opens databases through the package better-sqlite3. */
export const createBetterSqlite3 =
  (Database: Module): OpenSqlite =>
  (path, { mode, busyTimeoutMs = BUSY_TIMEOUT_MS }): SqliteConnection => {
    const database = run(
      () =>
        new Database(path, {
          readonly: mode === 'read',
          fileMustExist: mode !== 'create',
          timeout: busyTimeoutMs,
        }),
    );
    return {
      isOpen: () => database.open,
      isInTransaction: () => database.inTransaction,
      exec: (script) => void run(() => database.exec(script)),
      prepare: (sql, options) => prepare(database, sql, options),
      define: (name, { bigints = false, ...options }, implementation) =>
        void database.function(
          name,
          { ...options, safeIntegers: bigints },
          implementation as (...values: unknown[]) => unknown,
        ),
      backup: async (to, pagesPerStep) => {
        try {
          await database.backup(to, { progress: () => pagesPerStep });
        } catch (error) {
          throw toSqliteError(error);
        }
      },
      close: () => void database.close(),
    };
  };
