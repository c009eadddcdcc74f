import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { MigrationLockTimeout, columnsByTable } from '../dialect/migration-support.js';
import type {
  DatabaseFile,
  MigrationSession,
  MigrationSupport,
  SessionOptions,
  SessionRow,
} from '../dialect/migration-support.js';
import { SEARCH_PREFIX } from '../dialect/search-expressions.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { watchReferences } from './broken-references.js';
import type { ReferenceWatch } from './broken-references.js';
import { createPrivateFile, isSqliteBusy, loadDriver, sqlitePath } from './driver.js';
import { BUSY_TIMEOUT_MS } from './drivers/connection.js';
import type { OpenSqlite, SqliteConnection } from './drivers/connection.js';
import { SQLITE_JSON_REWRITING, SQLITE_MIGRATION_VALUES } from './migration-values.js';
import { SQLITE_OBJECTS, SQLITE_STATISTICS, searchObject } from './objects.js';

/** Omits the shadow tables, which virtual tables drop and create themselves. */
const SELECT_OBJECTS = (schema: string): string =>
  `SELECT "type", "name", "sql" FROM ${schema}.sqlite_master ` +
  `WHERE "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND "sql" IS NOT NULL AND "name" NOT IN (` +
  `SELECT "name" FROM pragma_table_list WHERE "schema" = ${quoteText(schema)} AND "type" = 'shadow'` +
  `) ORDER BY "type" = 'table' DESC`;

/** Drops every table and view. */
async function dropEverything({ query, script }: MigrationSession): Promise<void> {
  for (const { type, name } of await query(SELECT_OBJECTS('main')))
    if (type === 'table' || type === 'view')
      await script(`DROP ${String(type)} IF EXISTS main.${quoteName(String(name))}`);
}

const hasSequences = async ({ query }: MigrationSession): Promise<boolean> =>
  (await query(`SELECT 1 AS "found" FROM copied.sqlite_master WHERE "name" = 'sqlite_sequence'`)).length > 0;

/** Replaces the content of the database by that of the attached one. */
const replaceEverything = async (session: MigrationSession): Promise<void> => {
  const { query, script } = session;
  await dropEverything(session);
  for (const { type, name, sql } of await query(SELECT_OBJECTS('copied'))) {
    // Rebuilt from the rows, with the other auxiliary objects.
    if (String(name).startsWith(SEARCH_PREFIX)) continue;
    await script(String(sql));
    const table = quoteName(String(name));
    if (type === 'table') await script(`INSERT INTO main.${table} SELECT * FROM copied.${table}`);
  }
  if (!(await hasSequences(session))) return;
  await script('DELETE FROM main.sqlite_sequence');
  await script('INSERT INTO main.sqlite_sequence SELECT * FROM copied.sqlite_sequence');
};

/**
 * Replaces the content of a database by that of another file, in one transaction, while other processes use
 * the database. Switches the file to the journal mode of the database.
 */
async function restoreDatabase(session: MigrationSession, path: string): Promise<void> {
  await session.script(`ATTACH ${quoteText(path)} AS copied`);
  try {
    await session.runExclusive(() => replaceEverything(session));
  } finally {
    await session.script('DETACH copied');
  }
}

const RETRY_DELAY_MS = 20;

/** Prefix of tables with copies of rows. */
const COPY_PREFIX = 'galley_kept_';

const CREATE_HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

const READ_COLUMNS = `
  SELECT m."name" AS "table", json_group_array(c."name") AS "columns"
  FROM sqlite_master AS m
  JOIN pragma_table_info(m."name") AS c
  WHERE m."type" = 'table' AND m."name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  GROUP BY m."name"`;

/**
 * Retries until the database is free. Waiting inside of SQLite would block this process, and with it the
 * writer it may be waiting for.
 */
const execWithRetry = async (
  database: SqliteConnection,
  sql: string,
  lockTimeoutMs: number,
): Promise<void> => {
  const deadline = Date.now() + lockTimeoutMs;
  database.exec('PRAGMA busy_timeout = 0');
  try {
    for (;;) {
      try {
        database.exec(sql);
        return;
      } catch (error) {
        if (!isSqliteBusy(error)) throw error;
        if (Date.now() >= deadline) throw new MigrationLockTimeout(lockTimeoutMs, { cause: error });
      }
      await sleep(RETRY_DELAY_MS);
    }
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
};

const runExclusive = async <T>(
  database: SqliteConnection,
  references: ReferenceWatch,
  lockTimeoutMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  await execWithRetry(database, 'PRAGMA journal_mode = WAL', lockTimeoutMs);
  // Rebuilding a table would otherwise delete the rows that reference it. The setting has no effect inside of
  // a transaction.
  database.exec('PRAGMA foreign_keys = OFF');
  await execWithRetry(database, 'BEGIN IMMEDIATE', lockTimeoutMs);
  references.reset();
  try {
    const result = await work();
    references.assertUnbroken();
    await execWithRetry(database, 'COMMIT', lockTimeoutMs);
    return result;
  } catch (error) {
    if (database.isInTransaction()) database.exec('ROLLBACK');
    throw error;
  }
};

/**
 * Locks a file next to the database, because a lock of the database would keep `work` from writing to it. The
 * operating system releases the lock if the process is killed. The empty file stays: after deleting it, two
 * processes could hold the lock.
 */
const runAlone = async <T>(url: string, lockTimeoutMs: number, work: () => Promise<T>): Promise<T> => {
  const open = await loadDriver();
  const path = `${sqlitePath(url)}.migrating.db`;
  createPrivateFile(path);
  const lock = open(path, { mode: 'create' });
  try {
    await execWithRetry(lock, 'BEGIN EXCLUSIVE', lockTimeoutMs);
    return await work();
  } finally {
    lock.close();
  }
};

interface OpenedFile {
  readonly database: SqliteConnection;
  /** Null for a database in memory. */
  readonly path: string | null;
}

/** Opens the file. If it is missing and must not be created, opens an empty database in memory. */
const openFile = (open: OpenSqlite, path: string, isWritable: boolean): OpenedFile => {
  const mode = isWritable ? 'create' : 'write';
  try {
    if (isWritable) createPrivateFile(path);
    return { database: open(path, { mode }), path };
  } catch (error) {
    if (isWritable || !hasErrorCode(error, 'SQLITE_CANTOPEN')) throw error;
    return { database: open(':memory:', { mode: 'create' }), path: null };
  }
};

/** A statement that changes no rows. */
const READ = /^\s*(?:select|pragma)\b/i;

const runQuery = (
  database: SqliteConnection,
  references: ReferenceWatch,
  sql: string,
  parameters: readonly (string | number | null)[],
): readonly SessionRow[] => {
  const statement = database.prepare(sql);
  if (!READ.test(sql)) references.note(sql);
  const bound =
    parameters.length === 0
      ? []
      : Object.fromEntries(parameters.map((value, index) => [String(index + 1), value]));
  if (statement.columns().length > 0) return statement.records(bound);
  statement.run(bound);
  return [];
};

type Columns = ReturnType<typeof columnsByTable>;

/**
 * Reads the columns of all tables again only after a change of the schema. Call `clear` if the schema may be
 * rolled back, because SQLite then reuses the schema's version numbers.
 */
const createColumnReader = (database: SqliteConnection, references: ReferenceWatch) => {
  let known: { readonly version: unknown; readonly columns: Columns } | null = null;
  return {
    read: (): Columns => {
      const [version] = database.prepare('PRAGMA schema_version').values();
      if (known === null || known.version !== version)
        known = { version, columns: columnsByTable(runQuery(database, references, READ_COLUMNS, [])) };
      return known.columns;
    },
    clear: (): void => {
      known = null;
    },
  };
};

const openSession = async (
  url: string,
  { lockTimeoutMs, isWritable }: SessionOptions,
): Promise<MigrationSession> => {
  // Loaded here, since nothing may wait for a file within a transaction.
  const open = await loadDriver();
  const { database, path } = openFile(open, sqlitePath(url), isWritable);
  const references = watchReferences(database);
  const createFile = (): DatabaseFile | null =>
    path === null
      ? null
      : {
          path,
          copies: [],
          copyTo: (copy) => {
            // Another connection, which sees committed data only.
            const reader = open(path, { mode: 'read' });
            try {
              createPrivateFile(copy);
              reader.exec(`VACUUM INTO ${quoteText(copy)}`);
            } finally {
              reader.close();
            }
          },
        };
  let file = createFile();
  const columns = createColumnReader(database, references);
  return {
    get file() {
      return file;
    },
    query: async (sql, parameters = []) => runQuery(database, references, sql, parameters),
    script: async (sql, options) => {
      if (options?.keepsReferences !== true) references.note(sql);
      columns.clear();
      database.exec(sql);
    },
    isPooled: false,
    columns: async () => columns.read(),
    runExclusive: async (work) => {
      file = createFile();
      columns.clear();
      try {
        return await runExclusive(database, references, lockTimeoutMs, work);
      } finally {
        columns.clear();
      }
    },
    runAlone: (work) => runAlone(url, lockTimeoutMs, work),
    close: async () => {
      database.close();
    },
  };
};

export const SQLITE_MIGRATIONS = Object.freeze<MigrationSupport>({
  maxNameBytes: 10_000,
  buildIndexes: null,
  orderedColumn: ({ name, isDescending }) => (isDescending ? `${name} DESC` : name),
  createHistoryTableSql: CREATE_HISTORY_TABLE,
  databaseFolder: (url: string) => dirname(sqlitePath(url)),
  undo: { kind: 'database', path: sqlitePath, restore: restoreDatabase },
  dropEverything,
  continueNumberingSql: null,
  copyLocation: async () => (name: string) => `"${COPY_PREFIX}${name.replaceAll('"', '""')}"`,
  openSession,
  objects: SQLITE_OBJECTS,
  statistics: [SQLITE_STATISTICS],
  search: { objectsFor: (tables) => tables.map(searchObject), build: null },
  values: SQLITE_MIGRATION_VALUES,
  json: SQLITE_JSON_REWRITING,
});
