import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/caught-errors.js';
import type { DatabaseShell, StatementRows } from '../dialect/database-driver.js';
import { addUnlimitedFunctions } from './functions.js';
import { loadDriver, sqlitePath } from './driver.js';
import { SqliteError } from './drivers/connection.js';
import type { SqliteConnection } from './drivers/connection.js';

/** Numbers beyond 2^53 keep all their digits as text. */
const toJson = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

/** Statements without rows could write other files. */
const read = (database: SqliteConnection, sql: string): StatementRows => {
  const statement = database.prepare(sql, { bigints: true });
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) throw createError('database/statement-refused', {});
  return { columns, rows: statement.rows().map((row) => row.map(toJson)) };
};

const toStatementError = (error: SqliteError): Error =>
  error.code.startsWith('SQLITE_READONLY')
    ? createError('database/statement-refused', {}, { cause: error })
    : createError('database/statement-failed', { reason: messageOf(error) }, { cause: error });

/** Runs a statement on a connection that cannot write. */
export async function runSqliteStatement(url: string, sql: string): Promise<StatementRows> {
  const open = await loadDriver();
  const database = open(sqlitePath(url), { mode: 'read' });
  try {
    addUnlimitedFunctions(database);
    return read(database, sql);
  } catch (error) {
    throw error instanceof SqliteError ? toStatementError(error) : error;
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
