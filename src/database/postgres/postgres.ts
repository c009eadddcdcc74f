import type { Client } from 'pg';
import type { ColumnKind } from '../../lib/stored-value.js';
import { redactUrl } from '../../lib/text.js';
import { createError } from '../../errors/catalogue.js';
import { errorCode, messageOf } from '../../lib/caught-errors.js';
import type {
  AnalyzeTables,
  ExternalDatabase,
  ExternalRow,
  ExternalTable,
  DatabaseShell,
  StatementRows,
} from '../dialect/database-driver.js';
import type { Dialect, PrismaSchemaSupport, ReplicationSupport } from '../dialect/dialect.js';
import { quoteName, quoteTexts } from '../dialect/sql-text.js';
import { classifyCause, classifyClientError } from '../dialect/driver-error.js';
import type { DriverErrorInfo } from '../dialect/driver-error.js';
import { adapterCause } from '../prisma/adapter-error.js';
import { createPostgresAdapter, readUrlOptions, openPostgresClient } from './connections.js';
import { POSTGRES_CHANGE_FEED, POSTGRES_REVISIONS } from './changes.js';
import { createPostgresExpressions } from './expressions.js';
import { POSTGRES_MIGRATIONS } from './migrations.js';
import { openPostgresReadConnection } from './read-connection.js';
import { openPostgresExperiment } from './index-experiment.js';

const RETRY: DriverErrorInfo = { kind: 'retry' };
const UNREACHABLE: DriverErrorInfo = { kind: 'unreachable' };

/** SQLSTATE codes, and Node's codes for a server that is not reachable. */
const CODES: Readonly<Record<string, DriverErrorInfo>> = {
  '40001': RETRY,
  '40P01': RETRY,
  '55P03': RETRY,
  '23503': { kind: 'foreign-key' },
  '53300': UNREACHABLE,
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '57P04': UNREACHABLE,
  '57P05': UNREACHABLE,
  '53200': UNREACHABLE,
  '53400': UNREACHABLE,
  // A server that has become a standby is read-only until clients reach the new primary.
  '25006': { kind: 'disk', fault: 'read-only' },
  '53100': { kind: 'disk', fault: 'full' },
  '58030': { kind: 'disk', fault: 'failing' },
  '28P01': UNREACHABLE,
  '28000': UNREACHABLE,
  '3D000': UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ECONNABORTED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EPIPE: UNREACHABLE,
  // Poolers report an unreachable server with this code.
  '08P01': UNREACHABLE,
  '08000': UNREACHABLE,
  '08001': UNREACHABLE,
  '08004': UNREACHABLE,
  '08003': UNREACHABLE,
  '08006': UNREACHABLE,
};

/** Messages of the driver's errors that have no code. */
const BROKEN_CONNECTION_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

const isBrokenConnection = (error: unknown): boolean =>
  error instanceof Error && BROKEN_CONNECTION_MESSAGES.some((message) => error.message.startsWith(message));

/** Classifies an error of pg, its Prisma adapter or Prisma Client. Returns null for any other error. */
function classifyPostgresError(error: unknown): DriverErrorInfo | null {
  const cause = adapterCause(error);
  if (cause !== null) {
    const classified =
      classifyCause(cause) ??
      CODES[errorCode(cause)] ??
      (cause.kind === 'SocketTimeout' ? UNREACHABLE : null);
    if (classified !== null) return classified;
  }
  const byCode = CODES[errorCode(error)];
  if (byCode !== undefined) return byCode;
  return isBrokenConnection(error) ? UNREACHABLE : classifyClientError(error);
}

const READ_ONLY_TRANSACTION = '25006';

/**
 * Matches statements, after comments, that have effects even in a read-only transaction: COPY writes files
 * and runs programs.
 */
const REACHES_OUT = /^(?:\s|--.*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:copy|do|call|load|checkpoint)\b/i;

const toInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** By the ids of types. Other values stay the text that the server sends. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [20, toInteger],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [114, (text): unknown => JSON.parse(text)],
  [3802, (text): unknown => JSON.parse(text)],
]);

const keepText = (text: string): unknown => text;

const statementError = (error: unknown): Error =>
  errorCode(error) === READ_ONLY_TRANSACTION
    ? createError('database/statement-refused', {}, { cause: error })
    : createError('database/statement-failed', { reason: messageOf(error) }, { cause: error });

/**
 * Runs a statement in a read-only transaction, which the statement cannot end.
 *
 * @throws `database/statement-refused`, `database/statement-failed`
 */
async function runPostgresStatement(url: string, sql: string): Promise<StatementRows> {
  if (REACHES_OUT.test(sql)) throw createError('database/statement-refused', {});
  const { client, kind } = await openPostgresClient(url, {
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: 'galley sql',
    types: { getTypeParser: (id: number) => PARSERS.get(id) ?? keepText },
  });
  try {
    await client.query('BEGIN TRANSACTION READ ONLY');
    if (kind.transactionSettings !== null) await client.query(kind.transactionSettings);
    // The extended protocol takes one statement only.
    const query = { text: sql, rowMode: 'array' as const, queryMode: 'extended' };
    const { fields, rows } = await client.query<unknown[]>(query).catch((error: unknown) => {
      throw statementError(error);
    });
    if (fields.length === 0) throw createError('database/statement-refused', {});
    return { columns: fields.map(({ name }) => name), rows };
  } finally {
    await client.end();
  }
}

/** URL parameters that Prisma reads and psql rejects. */
const PRISMA_PARAMETERS = [
  'schema',
  'pgbouncer',
  'connection_limit',
  'pool_timeout',
  'socket_timeout',
  'statement_cache_size',
  'sslaccept',
  'sslidentity',
];

/** Matches up to the last "@", since passwords may contain one. */
const PASSWORD = /^([a-z]+:\/\/[^:@/]*):(.*)@/i;

function postgresShell(url: string): DatabaseShell {
  const [address = '', search = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(search);
  for (const name of PRISMA_PARAMETERS) parameters.delete(name);
  const password = PASSWORD.exec(address)?.[2];
  const { schema } = readUrlOptions(url);
  const target = address.replace(PASSWORD, '$1@');
  return {
    command: 'psql',
    args: [parameters.size === 0 ? target : `${target}?${parameters.toString()}`],
    env: {
      ...(password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) }),
      ...(schema === null
        ? {}
        : { PGOPTIONS: `-c search_path=${quoteName(schema).replaceAll(/[\s\\]/g, String.raw`\$&`)}` }),
    },
    installation: 'apt install postgresql-client, or brew install libpq',
  };
}

const CONNECTION_TIMEOUT_MS = 10_000;

const COLUMNS = `select table_name as "table", column_name as name, data_type as type
  from information_schema.columns where table_schema = current_schema()`;

const readTables = async (client: Client): Promise<ReadonlyMap<string, ExternalTable>> => {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(COLUMNS);
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of rows) {
    const known = tables.get(table) ?? new Map<string, string>();
    tables.set(table, known.set(name, type));
  }
  return tables;
};

const begin = async (client: Client, url: string): Promise<void> => {
  const { schema } = readUrlOptions(url);
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query("SET LOCAL TIME ZONE 'UTC'");
  await client.query("SET LOCAL datestyle = 'ISO'");
  if (schema !== null) await client.query(`SET LOCAL search_path TO ${quoteName(schema)}`);
};

/** Returns values as the server's text, because the driver parses times in the time zone of this process. */
export async function openExternalPostgres(url: string): Promise<ExternalDatabase> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: 'galley import',
    types: { getTypeParser: () => (value: string) => value },
  });
  // The running query reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await begin(client, url);
    return {
      description: `the database ${redactUrl(url)}`,
      tables: await readTables(client),
      rows: async (sql) => (await client.query<ExternalRow>(sql)).rows,
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

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
