import { createError } from '../../errors/catalogue.js';
import { hasErrorCode, messageOf } from '../../lib/caught-errors.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { UNLIMITED_READS } from '../dialect/database-driver.js';
import type { BackupSupport, DatabaseCopies, Dialect } from '../dialect/dialect.js';
import { createSqliteAdapter } from './adapter.js';
import { SQLITE_CHANGE_FEED, SQLITE_REVISIONS } from './changes.js';
import { classifySqliteError, createPrivateFile, loadDriver, sqlitePath } from './driver.js';
import { SQLITE_EXPRESSIONS } from './expressions.js';
import { SQLITE_MIGRATIONS } from './migrations.js';
import { analyzeSqliteTables } from './objects.js';
import { openSqliteReadConnection } from './reads/connection.js';
import { runSqliteStatement, sqliteShell } from './statement.js';
import { openSqliteExperiment } from './index-experiment.js';

/** All pages in one step: a copy in several steps starts again after each write in between. */
const IN_ONE_STEP = { progress: () => 0x7fff_ffff };

const transfer = async (from: string, to: string): Promise<void> => {
  const Database = await loadDriver();
  const database = new Database(from, { readonly: true, fileMustExist: true });
  try {
    createPrivateFile(to);
    await database.backup(to, IN_ONE_STEP);
  } finally {
    database.close();
  }
};

const check: DatabaseCopies['check'] = async (path) => {
  const Database = await loadDriver();
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const found = String(database.pragma('integrity_check(1)', { simple: true }));
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

/** SQLite through better-sqlite3, in WAL mode. */
export const sqlite: Dialect = Object.freeze({
  name: 'sqlite',
  expressions: SQLITE_EXPRESSIONS,
  driver: {
    hasSingleWriter: true,
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
