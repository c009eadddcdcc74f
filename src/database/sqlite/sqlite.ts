import { createError } from '../../errors/catalogue.js';
import { hasErrorCode, messageOf } from '../../lib/caught-errors.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { UNLIMITED_READS } from '../dialect/database-driver.js';
import type { BackupSupport, DatabaseCopies, Dialect } from '../dialect/dialect.js';
import { createSqliteAdapter } from './adapter.js';
import { SQLITE_CHANGE_FEED, SQLITE_REVISIONS } from './changes.js';
import { classifySqliteError, createPrivateFile, loadDriver, sqlitePackages, sqlitePath } from './driver.js';
import { SQLITE_EXPRESSIONS } from './expressions.js';
import { SQLITE_MIGRATIONS } from './migrations.js';
import { analyzeSqliteTables } from './objects.js';
import { openSqliteReadConnection } from './reads/connection.js';
import { runSqliteStatement, sqliteShell } from './statement.js';
import { openSqliteExperiment } from './index-experiment.js';

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
