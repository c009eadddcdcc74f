import type { Client } from 'pg';
import { MigrationLockTimeout, groupColumns } from './migration-support.js';
import type { MigrationSession, MigrationSupport, SessionOptions, SessionRow } from './migration-support.js';

/** The number Prisma's own engine locks, so that `prisma migrate deploy` waits for us and we for it. */
const PRISMA_LOCK = 72_707_369;
const LOCK_NOT_AVAILABLE = '55P03';

const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
)`;

const READ_COLUMNS = `SELECT c.relname::text AS "table", a.attname::text AS "column" FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`;

const takeTurn = async (client: Client, waitMs: number): Promise<void> => {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${Math.ceil(waitMs)}`);
    await client.query(`SELECT pg_advisory_xact_lock(${PRISMA_LOCK})`);
    await client.query('SET LOCAL lock_timeout TO DEFAULT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) throw new MigrationLockTimeout(waitMs, { cause: error });
    throw error;
  }
};

const exclusively = async <T>(client: Client, waitMs: number, work: () => Promise<T>): Promise<T> => {
  await takeTurn(client, waitMs);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The connection itself may be what broke; then the server rolls back, and the first error is the one to tell.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
};

const open = async (url: string, { waitMs }: SessionOptions): Promise<MigrationSession> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'galley migrate' });
  // Without a listener a connection lost between two statements would end the process; the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (sql, parameters = []) => (await client.query<SessionRow>(sql, [...parameters])).rows,
    script: async (sql) => {
      await client.query(sql);
    },
    columns: async () => groupColumns((await client.query<SessionRow>(READ_COLUMNS)).rows),
    exclusively: (work) => exclusively(client, waitMs, work),
    close: () => client.end(),
  };
};

export const POSTGRES_MIGRATIONS: MigrationSupport = Object.freeze({
  engineProvider: 'postgres',
  maxNameBytes: 63,
  createHistory: CREATE_HISTORY,
  folderOf: () => null,
  openSession: open,
});
