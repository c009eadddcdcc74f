import type { Client } from 'pg';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { MigrationLockTimeout, columnsByTable } from '../dialect/migration-support.js';
import type {
  CopyLocation,
  DatabaseObjectSupport,
  MigrationSession,
  MigrationSupport,
  ReplacedTable,
  SessionOptions,
  SessionRow,
} from '../dialect/migration-support.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { buildPostgresIndexes, buildPostgresSearch } from './build-indexes.js';
import {
  endTransaction,
  openPostgresClient,
  readUrlOptions,
  withTransactionSettings,
} from './connections.js';
import type { SessionKind } from './connections.js';
import { POSTGRES_JSON_REWRITING, POSTGRES_MIGRATION_VALUES } from './migration-values.js';

const INSUFFICIENT_PRIVILEGE = '42501';

export const POSTGRES_OBJECTS = Object.freeze<DatabaseObjectSupport>({
  partsSql: `
    SELECT c.relname || '.' || t.tgname AS "part"
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT proname || '()' FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace`,
  // Dropping the function drops its remaining triggers.
  retired: {
    totals: 'DROP FUNCTION IF EXISTS cms_count_rows() CASCADE; DROP TABLE IF EXISTS cms_totals',
  },
  isDenied: (error) => hasErrorCode(error, INSUFFICIENT_PRIVILEGE),
});

/** The foreign keys of the project's tables: all of them have one column. */
const SELECT_KEYS = `
  SELECT c.conname::text AS "name", pg_get_constraintdef(c.oid) AS "definition",
    r.relname::text AS "table", t.relname::text AS "target",
    a.attname::text AS "column", k.attname::text AS "key", a.attnotnull AS "isRequired"
  FROM pg_constraint AS c
  JOIN pg_class AS r ON r.oid = c.conrelid
  JOIN pg_class AS t ON t.oid = c.confrelid
  JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  JOIN pg_attribute AS k ON k.attrelid = c.confrelid AND k.attnum = c.confkey[1]
  WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND cardinality(c.conkey) = 1`;

interface ForeignKey {
  readonly name: string;
  readonly definition: string;
  readonly table: string;
  readonly target: string;
  readonly column: string;
  readonly key: string;
  readonly isRequired: boolean;
}

const readKeys = async (
  { query }: MigrationSession,
  tables: ReadonlySet<string>,
): Promise<readonly ForeignKey[]> =>
  (await query(SELECT_KEYS))
    .map((row) => ({
      name: String(row['name']),
      definition: String(row['definition']),
      table: String(row['table']),
      target: String(row['target']),
      column: String(row['column']),
      key: String(row['key']),
      isRequired: row['isRequired'] === true,
    }))
    .filter(({ table, target }) => tables.has(table) || tables.has(target));

/** Removes references to missing rows as a DELETE would have: a required reference deletes its row. */
const releaseSql = ({ table, column, target, key, isRequired }: ForeignKey): string => {
  const isDangling =
    `${quoteName(column)} IS NOT NULL AND NOT EXISTS ` +
    `(SELECT 1 FROM ${quoteName(target)} AS t` +
    ` WHERE t.${quoteName(key)} = ${quoteName(table)}.${quoteName(column)})`;
  return isRequired
    ? `DELETE FROM ${quoteName(table)} WHERE ${isDangling}`
    : `UPDATE ${quoteName(table)} SET ${quoteName(column)} = NULL WHERE ${isDangling}`;
};

const releaseDangling = async ({ query }: MigrationSession, keys: readonly ForeignKey[]): Promise<void> => {
  for (;;) {
    let released = 0;
    for (const key of keys) released += (await query(`${releaseSql(key)} RETURNING 1`)).length;
    if (released === 0) return;
  }
};

/** Replaces the rows of tables by copies. */
async function replaceRows(session: MigrationSession, tables: readonly ReplacedTable[]): Promise<void> {
  const { script } = session;
  const keys = await readKeys(session, new Set(tables.map(({ table }) => table)));
  for (const { table, name } of keys)
    await script(`ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(name)}`);
  for (const { table, copy, columns } of tables) {
    const list = columns.map(quoteName).join(', ');
    await script(`DELETE FROM ${quoteName(table)}`);
    if (copy !== null) await script(`INSERT INTO ${quoteName(table)} (${list}) SELECT ${list} FROM ${copy}`);
  }
  await releaseDangling(session, keys);
  for (const { table, name, definition } of keys)
    await script(`ALTER TABLE ${quoteName(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
}

const SELECT_OBJECTS = `
  SELECT 'TABLE' AS "type", relname::text AS "name" FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END, relname::text FROM pg_class
  WHERE relkind IN ('v', 'm') AND relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT 'TYPE', typname::text FROM pg_type
  WHERE typtype = 'e' AND typnamespace = current_schema()::regnamespace`;

/** Drops every table, view and enumeration of the schema. */
async function dropEverything({ query, script }: MigrationSession): Promise<void> {
  for (const { type, name } of await query(SELECT_OBJECTS))
    await script(`DROP ${String(type)} IF EXISTS ${quoteName(String(name))} CASCADE`);
}

/** The lock of Prisma's engine, so that `prisma migrate deploy` and the toolkit wait for each other. */
const PRISMA_LOCK = 72_707_369;
const LOCK_NOT_AVAILABLE = '55P03';

const CONNECT_TIMEOUT_MS = 10_000;

/** One row per table: one per column takes twice as long. */
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
  return endTransaction(client, async () => {
    if (transactionSettings !== null) await client.query(transactionSettings);
    return work();
  });
};

/**
 * The lock belongs to the session, like the lock of Prisma's engine. Transactions of the session may acquire
 * it again.
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
    // If the connection is lost, the server has released the lock. The caller gets the first error.
    await client.query(`SELECT pg_advisory_unlock(${PRISMA_LOCK})`).catch(() => undefined);
  }
};

/** Not `IF NOT EXISTS`, which would require the right to create schemas even if the schema exists. */
const createSchemaSql = (schema: string): string => `CREATE SCHEMA ${quoteName(schema)}`;

/** Creates the schema that the URL names, like Prisma's engine. */
const createSchema = async (client: Client, url: string): Promise<void> => {
  const { schema } = readUrlOptions(url);
  if (schema === null) return;
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(createSchemaSql(schema));
};

type RunStatement = <T>(statement: () => Promise<T>) => Promise<T>;

/** Runs a statement that is outside of a transaction in a separate one, if it needs the settings. */
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

async function openPostgresSession(
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

const SELECT_SCHEMAS = `
  SELECT current_schema()::text AS "current", array_agg(nspname)::text[] AS "names" FROM pg_namespace`;

/** Copies are stored in a separate schema, one for each schema with a project. */
const locateCopies = async (
  { query, script }: MigrationSession,
  { creates }: { readonly creates: boolean },
): Promise<CopyLocation> => {
  const [row] = await query(SELECT_SCHEMAS);
  const current = String(row?.['current']);
  const schema = current === 'public' ? 'galley_kept' : `galley_kept_${current}`;
  const existing: unknown = row?.['names'];
  if (creates && !(Array.isArray(existing) && existing.includes(schema)))
    await script(createSchemaSql(schema));
  return (name) => `${quoteName(schema)}.${quoteName(name)}`;
};

const continueNumberingSql = (table: string, column: string): string =>
  `SELECT setval(s, (SELECT coalesce(max(${quoteName(column)}), 0) + 1 FROM ${quoteName(table)}), false)` +
  ` FROM pg_get_serial_sequence(${quoteText(quoteName(table))}, ${quoteText(column)}) AS s` +
  ' WHERE s IS NOT NULL';

export const POSTGRES_MIGRATIONS = Object.freeze<MigrationSupport>({
  maxNameBytes: 63,
  buildIndexes: buildPostgresIndexes,
  orderedColumn: ({ name, isText, isDescending }) =>
    `${name}${isText ? ' COLLATE "C"' : ''}${isDescending ? ' DESC NULLS LAST' : ' NULLS FIRST'}`,
  createHistoryTableSql: CREATE_HISTORY_TABLE,
  databaseFolder: () => null,
  copyLocation: locateCopies,
  undo: { kind: 'rows', replace: replaceRows },
  dropEverything,
  continueNumberingSql,
  openSession: openPostgresSession,
  objects: POSTGRES_OBJECTS,
  statistics: [],
  search: { objectsFor: () => [], build: buildPostgresSearch },
  values: POSTGRES_MIGRATION_VALUES,
  json: POSTGRES_JSON_REWRITING,
});
