import { createError } from '../../errors/catalogue.js';
import { hasErrorCode, messageOf } from '../../lib/caught-errors.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { UNLIMITED_READS } from '../dialect/database-driver.js';
import type {
  DatabaseShell,
  StatementRows,
  ExternalDatabase,
  ExternalRow,
  ExternalTable,
} from '../dialect/database-driver.js';
import type { BackupSupport, DatabaseCopies, Dialect } from '../dialect/dialect.js';
import { quoteName } from '../dialect/sql-text.js';
import { createSqliteAdapter } from './adapter.js';
import { SQLITE_CHANGE_FEED, SQLITE_REVISIONS } from './changes.js';
import { classifySqliteError, createPrivateFile, loadDriver, sqlitePackages, sqlitePath } from './driver.js';
import { SQLITE_EXPRESSIONS } from './expressions.js';
import { SQLITE_MIGRATIONS } from './migrations.js';
import { analyzeSqliteTables } from './objects.js';
import { openSqliteReadConnection } from './reads/connection.js';
import { openSqliteExperiment } from './index-experiment.js';
import { addUnlimitedFunctions } from './functions.js';
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
async function runSqliteStatement(url: string, sql: string): Promise<StatementRows> {
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

function sqliteShell(url: string): DatabaseShell {
  return {
    command: 'sqlite3',
    args: [sqlitePath(url)],
    env: {},
    installation: 'apt install sqlite3, or brew install sqlite',
  };
}

/** All pages in one step: a copy in several steps starts again after each write in between. */
const ALL_PAGES = 0x7fff_ffff;

const READ_ONLY = { mode: 'read' } as const;

const transfer = async (from: string, to: string): Promise<void> => {
  const open = await loadDriver();
  const database = open(from, READ_ONLY);
  try {
    createPrivateFile(to);
    await database.backup(to, ALL_PAGES);
  } finally {
    database.close();
  }
};

const check: DatabaseCopies['check'] = async (path) => {
  const open = await loadDriver();
  try {
    const database = open(path, READ_ONLY);
    try {
      const found = String(database.prepare('PRAGMA integrity_check(1)').values()[0]);
      return found === 'ok' ? null : found;
    } finally {
      database.close();
    }
  } catch (error) {
    return messageOf(error);
  }
};

const copy: DatabaseCopies['copy'] = async (url, path) => {
  try {
    await transfer(sqlitePath(url), path);
  } catch (error) {
    if (!hasErrorCode(error, 'SQLITE_FULL')) throw error;
    throw createError('transfer/cannot-write', { path, reason: 'its disk is full' }, { cause: error });
  }
};

const SQLITE_BACKUPS: BackupSupport = {
  copies: {
    copy,
    check,
    // Other processes that use the database see its new content with their next statement.
    restore: (path, url) => transfer(path, sqlitePath(url)),
  },
  countServersSql: null,
};

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'String',
  integer: 'Int',
  bigint: 'BigInt',
  double: 'Float',
  boolean: 'Boolean',
  datetime: 'DateTime',
  json: 'Json',
};

/** SQLite in WAL mode. */
export const sqlite: Dialect = Object.freeze({
  name: 'sqlite',
  expressions: SQLITE_EXPRESSIONS,
  driver: {
    hasSingleWriter: true,
    packages: sqlitePackages(),
    openReadConnection: (url, options = UNLIMITED_READS) =>
      openSqliteReadConnection(url, SQLITE_EXPRESSIONS, options),
    openExperiment: (url) => openSqliteExperiment(url, SQLITE_EXPRESSIONS),
    runStatement: runSqliteStatement,
    shell: sqliteShell,
    createWriteAdapter: createSqliteAdapter,
    advisoryLockSql: null,
    lockTimeoutSql: null,
    analyzeTables: analyzeSqliteTables,
  },
  schema: {
    provider: 'sqlite',
    namesConstraints: false,
    columnType: (kind) => ({ type: TYPES[kind], attribute: null }),
  },
  migrations: SQLITE_MIGRATIONS,
  changeFeed: SQLITE_CHANGE_FEED,
  revisions: SQLITE_REVISIONS,
  replication: null,
  backups: SQLITE_BACKUPS,
  errors: { classify: classifySqliteError },
} satisfies Dialect);

const readTables = (database: SqliteConnection): ReadonlyMap<string, ExternalTable> => {
  const columns = database
    .prepare(
      `SELECT m.name AS "table", c.name, lower(c.type) AS type FROM sqlite_master m
         JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    .rows();
  const tables = new Map<string, Map<string, string>>();
  for (const [table, name, type] of columns.map((row) => row.map(String) as [string, string, string])) {
    const known = tables.get(table) ?? new Map<string, string>();
    tables.set(table, known.set(name, type));
  }
  return tables;
};

/** Other processes can write between the steps. */
const PAGES_PER_STEP = 100;

/** Reads a copy of the file. Without WAL, a long transaction would block the database's writers. */
export async function openExternalSqlite(url: string, folder: string): Promise<ExternalDatabase> {
  const open = await loadDriver();
  const path = sqlitePath(url);
  const copyPath = `${folder}/external.db`;
  const original = open(path, READ_ONLY);
  try {
    createPrivateFile(copyPath);
    await original.backup(copyPath, PAGES_PER_STEP);
  } finally {
    original.close();
  }
  const database = open(copyPath, READ_ONLY);
  return {
    description: `the SQLite database ${quoteName(path)}`,
    tables: readTables(database),
    // Numbers beyond 2^53 keep all their digits as bigint.
    rows: async (sql) => database.prepare(sql, { bigints: true }).records() as readonly ExternalRow[],
    close: async () => {
      database.close();
    },
  };
}
