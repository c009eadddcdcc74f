import type { ColumnKind } from '../../lib/stored-value.js';
import { UNLIMITED_READS } from '../dialect/database-driver.js';
import type { Dialect } from '../dialect/dialect.js';
import { createSqliteAdapter } from './adapter.js';
import { SQLITE_BACKUPS } from './backups.js';
import { SQLITE_CHANGE_FEED } from './change-feed.js';
import { SQLITE_EXPRESSIONS } from './expressions.js';
import { classifySqliteError } from './errors.js';
import { SQLITE_MIGRATIONS } from './migrations.js';
import { SQLITE_REVISIONS } from './revisions.js';
import { openSqliteReadConnection } from './reads/connection.js';
import { runSqliteStatement, sqliteShell } from './statement.js';
import { analyzeSqliteTables } from './statistics.js';
import { openSqliteTrial } from './trial.js';

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
    openTrial: (url) => openSqliteTrial(url, SQLITE_EXPRESSIONS),
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
