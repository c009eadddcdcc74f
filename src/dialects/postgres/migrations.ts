import type { Client } from 'pg';
import { hasErrorCode } from '../../lib/error-code.js';
import { MigrationLockTimeout, groupColumns } from '../migration-support.js';
import type {
  CopyLocation,
  MigrationSession,
  MigrationSupport,
  SessionOptions,
  SessionRow,
} from '../migration-support.js';
import { POSTGRES_MIGRATION_VALUES } from './migration-values.js';
import { POSTGRES_JSON_REWRITING } from './json-rewriting.js';
import { dropEverything, replaceRows } from './replace-rows.js';

/** The lock of Prisma's own engine, so that `prisma migrate deploy` and the toolkit wait for each other. */
const PRISMA_LOCK = 72_707_369;
const LOCK_NOT_AVAILABLE = '55P03';

const CREATE_HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
)`;

const READ_COLUMNS = `
  SELECT c.relname::text AS "table", a.attname::text AS "column"
  FROM pg_class AS c
  JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE c.relkind IN ('r', 'p')
    AND c.relnamespace = current_schema()::regnamespace
    AND a.attnum > 0
    AND NOT a.attisdropped`;

const acquireMigrationLock = async (client: Client, lockTimeoutMs: number): Promise<void> => {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${Math.ceil(lockTimeoutMs)}`);
    await client.query(`SELECT pg_advisory_xact_lock(${PRISMA_LOCK})`);
    await client.query('SET LOCAL lock_timeout TO DEFAULT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (hasErrorCode(error, LOCK_NOT_AVAILABLE))
      throw new MigrationLockTimeout(lockTimeoutMs, { cause: error });
    throw error;
  }
};

const runExclusive = async <T>(client: Client, lockTimeoutMs: number, work: () => Promise<T>): Promise<T> => {
  await acquireMigrationLock(client, lockTimeoutMs);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Where the connection is lost, the server rolls back. The first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
};

/**
 * The lock belongs to the session, like that of Prisma's own engine. Transactions of the session may take it,
 * too.
 */
const runAlone = async <T>(client: Client, lockTimeoutMs: number, work: () => Promise<T>): Promise<T> => {
  await client.query(`SET lock_timeout = ${Math.ceil(lockTimeoutMs)}`);
  try {
    await client.query(`SELECT pg_advisory_lock(${PRISMA_LOCK})`);
  } catch (error) {
    if (hasErrorCode(error, LOCK_NOT_AVAILABLE))
      throw new MigrationLockTimeout(lockTimeoutMs, { cause: error });
    throw error;
  } finally {
    await client.query('SET lock_timeout TO DEFAULT').catch(() => undefined);
  }
  try {
    return await work();
  } finally {
    // Where the connection is lost, the server has released the lock. The first error is the one to report.
    await client.query(`SELECT pg_advisory_unlock(${PRISMA_LOCK})`).catch(() => undefined);
  }
};

const openSession = async (url: string, { lockTimeoutMs }: SessionOptions): Promise<MigrationSession> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'galley migrate' });
  // Without a listener, a connection lost between two statements would end the process. The next statement
  // reports the loss.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (sql, parameters = []) => (await client.query<SessionRow>(sql, [...parameters])).rows,
    script: async (sql) => {
      await client.query(sql);
    },
    columns: async () => groupColumns((await client.query<SessionRow>(READ_COLUMNS)).rows),
    runExclusive: (work) => runExclusive(client, lockTimeoutMs, work),
    runAlone: (work) => runAlone(client, lockTimeoutMs, work),
    file: null,
    close: () => client.end(),
  };
};

const SELECT_SCHEMAS = `
  SELECT current_schema()::text AS "current", array_agg(nspname)::text[] AS "names" FROM pg_namespace`;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Copies are in a schema of their own, of which there is one for each schema with a project. */
const locateCopies = async (
  { query, script }: MigrationSession,
  { creates }: { readonly creates: boolean },
): Promise<CopyLocation> => {
  const [row] = await query(SELECT_SCHEMAS);
  const current = String(row?.['current']);
  const schema = current === 'public' ? 'galley_kept' : `galley_kept_${current}`;
  const existing: unknown = row?.['names'];
  // Not IF NOT EXISTS, which needs the right to create schemas even where there is one.
  if (creates && !(Array.isArray(existing) && existing.includes(schema)))
    await script(`CREATE SCHEMA ${quote(schema)}`);
  return (name) => `${quote(schema)}.${quote(name)}`;
};

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const continueNumberingSql = (table: string, column: string): string =>
  `SELECT setval(s, (SELECT coalesce(max(${quote(column)}), 0) + 1 FROM ${quote(table)}), false) ` +
  `FROM pg_get_serial_sequence(${quoteText(quote(table))}, ${quoteText(column)}) AS s WHERE s IS NOT NULL`;

export const POSTGRES_MIGRATIONS = Object.freeze<MigrationSupport>({
  maxNameBytes: 63,
  createHistoryTableSql: CREATE_HISTORY_TABLE,
  databaseFolder: () => null,
  copyLocation: locateCopies,
  undo: { kind: 'rows', replace: replaceRows },
  dropEverything,
  continueNumberingSql,
  openSession,
  values: POSTGRES_MIGRATION_VALUES,
  json: POSTGRES_JSON_REWRITING,
});
