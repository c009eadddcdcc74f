import type { ColumnKind } from '../lib/stored-value.js';
import { UNLIMITED_READS } from './database-driver.js';
import type { Dialect } from './dialect.js';
import { createSqliteAdapter } from './sqlite/adapter.js';
import { SQLITE_BACKUPS } from './sqlite/backups.js';
import { SQLITE_CHANGE_FEED } from './sqlite/change-feed.js';
import { SQLITE_EXPRESSIONS } from './sqlite/expressions.js';
import { classifySqliteError } from './sqlite/errors.js';
import { SQLITE_MIGRATIONS } from './sqlite/migrations.js';
import { SQLITE_REVISIONS } from './sqlite/revisions.js';
import { openSqliteReadConnection } from './sqlite/reads/connection.js';
import { runSqliteStatement, sqliteShell } from './sqlite/statement.js';
import { analyzeSqliteTables } from './sqlite/statistics.js';
import { openSqliteTrial } from './sqlite/trial.js';

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
