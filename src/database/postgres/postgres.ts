import type { ColumnKind } from '../../lib/stored-value.js';
import type { Dialect } from '../dialect/dialect.js';
import { createPostgresAdapter } from './adapter.js';
import { analyzePostgresTables } from './analyze.js';
import { POSTGRES_CHANGE_FEED } from './change-feed.js';
import { createPostgresExpressions } from './expressions.js';
import { classifyPostgresError } from './errors.js';
import { POSTGRES_MIGRATIONS } from './migrations.js';
import { POSTGRES_REPLICATION } from './replication.js';
import { POSTGRES_REVISIONS } from './revisions.js';
import { openPostgresReadConnection } from './read-connection.js';
import { postgresShell, runPostgresStatement } from './statement.js';
import { openPostgresTrial } from './trial.js';
import type { PrismaSchemaSupport } from '../dialect/prisma-schema-support.js';

type PrismaType = ReturnType<PrismaSchemaSupport['columnType']>;

const TYPES: Readonly<Record<ColumnKind, PrismaType>> = {
  text: { type: 'String', attribute: null },
  integer: { type: 'Int', attribute: null },
  bigint: { type: 'BigInt', attribute: null },
  double: { type: 'Float', attribute: null },
  boolean: { type: 'Boolean', attribute: null },
  datetime: { type: 'DateTime', attribute: '@db.Timestamp(3)' },
  // Not jsonb, which sorts keys and rewrites numbers: JSON must be read as it was written.
  json: { type: 'Json', attribute: '@db.Json' },
};

/**
 * PostgreSQL 14 and later through pg. These expressions fold case as version 17 and later do; a read
 * connection has those that its server supports.
 */
export const postgres: Dialect = Object.freeze({
  name: 'postgresql',
  expressions: createPostgresExpressions('builtin'),
  driver: {
    hasSingleWriter: false,
    openReadConnection: openPostgresReadConnection,
    openTrial: openPostgresTrial,
    runStatement: runPostgresStatement,
    shell: postgresShell,
    createWriteAdapter: createPostgresAdapter,
    advisoryLockSql: 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text',
    lockTimeoutSql: "select set_config('lock_timeout', '100ms', true)",
    analyzeTables: analyzePostgresTables,
  },
  schema: {
    provider: 'postgresql',
    namesConstraints: true,
    columnType: (kind) => TYPES[kind],
  },
  migrations: POSTGRES_MIGRATIONS,
  changeFeed: POSTGRES_CHANGE_FEED,
  revisions: POSTGRES_REVISIONS,
  replication: POSTGRES_REPLICATION,
  backups: {
    copies: null,
    countServersSql:
      'select count(*) as "count" from pg_stat_activity where datname = current_database() ' +
      "and application_name in ('galley', 'galley changes', 'galley revisions') and pid <> pg_backend_pid()",
  },
  errors: { classify: classifyPostgresError },
} satisfies Dialect);
