import type { Client } from 'pg';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import { MigrationLockTimeout, columnsByTable } from '../dialect/migration-support.js';
import type { MigrationSession, SessionOptions, SessionRow } from '../dialect/migration-support.js';
import { quoteName } from '../dialect/sql-text.js';
import { openPostgresClient } from './client.js';
import { readUrlOptions } from './connection-url.js';
import { withTransactionSettings } from './session.js';
import type { SessionKind } from './session.js';

/** The lock of Prisma's own engine, so that `prisma migrate deploy` and the toolkit wait for each other. */
const PRISMA_LOCK = 72_707_369;
const LOCK_NOT_AVAILABLE = '55P03';

const CONNECT_TIMEOUT_MS = 10_000;

/** One row for each table: with one for each column it takes twice as long. */
const READ_COLUMNS = `
  SELECT c.relname::text AS "table", array_to_json(ARRAY(
    SELECT a.attname::text FROM pg_attribute AS a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))::text AS "columns"
  FROM pg_class AS c
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace`;

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

const runExclusive = async <T>(
  client: Client,
  { transactionSettings }: SessionKind,
  lockTimeoutMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  await acquireMigrationLock(client, lockTimeoutMs);
  try {
    if (transactionSettings !== null) await client.query(transactionSettings);
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

/** Like Prisma's own engine, creates the schema that the URL names. */
const createSchema = async (client: Client, url: string): Promise<void> => {
  const { schema } = readUrlOptions(url);
  if (schema === null) return;
  // Not IF NOT EXISTS, which needs the right to create schemas even where there is one.
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${quoteName(schema)}`);
};

type RunStatement = <T>(statement: () => Promise<T>) => Promise<T>;

/** Runs statements outside of transactions in one of their own, where they need its settings. */
const createRunStatement = (
  client: Client,
  { transactionSettings }: SessionKind,
  isInTransaction: () => boolean,
): RunStatement =>
  transactionSettings === null
    ? (statement) => statement()
    : (statement) =>
        isInTransaction()
          ? statement()
          : withTransactionSettings(client, 'BEGIN', transactionSettings, statement);

export async function openSession(
  url: string,
  { lockTimeoutMs, isWritable }: SessionOptions,
): Promise<MigrationSession> {
  const { client, kind } = await openPostgresClient(url, {
    application_name: 'galley migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  if (isWritable) await createSchema(client, url);
  let isInTransaction = false;
  const run = createRunStatement(client, kind, () => isInTransaction);
  return {
    query: (sql, parameters = []) =>
      run(async () => (await client.query<SessionRow>(sql, [...parameters])).rows),
    script: (sql) =>
      run(async () => {
        await client.query(sql);
      }),
    columns: () => run(async () => columnsByTable((await client.query<SessionRow>(READ_COLUMNS)).rows)),
    runExclusive: async (work) => {
      isInTransaction = true;
      try {
        return await runExclusive(client, kind, lockTimeoutMs, work);
      } finally {
        isInTransaction = false;
      }
    },
    runAlone: async (work) => {
      if (kind.isPooled)
        throw createError('database/direct-url-missing', { purpose: 'Migrations with code' });
      return runAlone(client, lockTimeoutMs, work);
    },
    isPooled: kind.isPooled,
    file: null,
    close: () => client.end(),
  };
}
