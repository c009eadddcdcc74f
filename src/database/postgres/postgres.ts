import type { ColumnKind } from '../../lib/stored-value.js';
import type { AnalyzeTables } from '../dialect/database-driver.js';
import type { Dialect, PrismaSchemaSupport, ReplicationSupport } from '../dialect/dialect.js';
import { quoteName, quoteTexts } from '../dialect/sql-text.js';
import { createPostgresAdapter } from './adapter.js';
import { POSTGRES_CHANGE_FEED } from './notifications.js';
import { classifyPostgresError } from './errors.js';
import { createPostgresExpressions } from './expressions.js';
import { POSTGRES_MIGRATIONS } from './migrations.js';
import { openPostgresReadConnection } from './read-connection.js';
import { POSTGRES_REVISIONS } from './revisions.js';
import { postgresShell, runPostgresStatement } from './statement.js';
import { openPostgresExperiment } from './index-experiment.js';

const SYSTEM = '(select system_identifier::text from pg_control_system())';

/** Streaming replication. Positions are those of the write-ahead log. */
const POSTGRES_REPLICATION = Object.freeze<ReplicationSupport>({
  // Includes announced changes that are not on disk yet, as without `synchronous_commit`.
  primarySql: `select json_build_object('system', ${SYSTEM}, 'position', pg_current_wal_insert_lsn())::text`,
  replicaSql: `select json_build_object('system', ${SYSTEM}, 'isReplica', pg_is_in_recovery(),
  'hasReached', coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false),
  'missingBytes', greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0),
  'seconds', extract(epoch from now() - pg_last_xact_replay_timestamp()))::text`,
});

/** Skips tables whose size the planner estimates correctly, because analyzing many takes a second. */
const analyzeSql = (tables: readonly string[], rows: number): string => `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT oid::regclass::text FROM pg_class
      WHERE oid = ANY (ARRAY[${quoteTexts(tables.map(quoteName))}]::regclass[]) AND reltuples < '${rows}'
    LOOP EXECUTE 'ANALYZE ' || name; END LOOP;
  END $$`;

const analyzePostgresTables: AnalyzeTables = async (tx, tables, rows) =>
  void (await tx.execute(analyzeSql(tables, rows), []));

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
    packages: {},
    openReadConnection: openPostgresReadConnection,
    openExperiment: openPostgresExperiment,
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
