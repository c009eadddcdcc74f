import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/caught-errors.js';
import type { DatabaseShell, StatementRows } from '../dialect/database-driver.js';
import { addUnlimitedFunctions } from './functions.js';
import { loadDriver, sqlitePath } from './driver.js';

type Database = import('better-sqlite3').Database;

/** Numbers beyond 2^53 keep all their digits as text. */
const toJson = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

const read = (database: Database, sql: string): StatementRows => {
  const statement = database.prepare<[], unknown[]>(sql);
  if (!statement.readonly || !statement.reader) throw createError('database/statement-refused', {});
  const rows = statement.safeIntegers().raw().all();
  return { columns: statement.columns().map(({ name }) => name), rows: rows.map((row) => row.map(toJson)) };
};

/** Runs a statement on a connection that cannot write. */
export async function runSqliteStatement(url: string, sql: string): Promise<StatementRows> {
  const Driver = await loadDriver();
  const database = new Driver(sqlitePath(url), { readonly: true, fileMustExist: true });
  try {
    addUnlimitedFunctions(database);
    return read(database, sql);
  } catch (error) {
    if (error instanceof Driver.SqliteError || error instanceof RangeError)
      throw createError('database/statement-failed', { reason: messageOf(error) }, { cause: error });
    throw error;
  } finally {
    database.close();
  }
}

export function sqliteShell(url: string): DatabaseShell {
  return {
    command: 'sqlite3',
    args: [sqlitePath(url)],
    env: {},
    installation: 'apt install sqlite3, or brew install sqlite',
  };
}
