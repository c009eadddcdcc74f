import type { Database as SqliteDatabase } from 'better-sqlite3';
import { defined } from '../../lib/assert.js';
import { SYSTEM_TABLE } from '../dialect/changes.js';
import type {
  ChangeFeedHandlers,
  ChangeFeedSupport,
  OpenChangeFeed,
  OpenRevisions,
  RevisedTables,
  RevisionOptions,
  RevisionSupport,
  Revisions,
} from '../dialect/changes.js';
import type { DatabaseObject } from '../dialect/migration-support.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { loadDriver, sqlitePath } from './driver.js';
import { SQLITE_OBJECTS } from './objects.js';

const TABLE = 'cms_revisions';
const BUSY_TIMEOUT_MS = 2000;

/**
 * Random and not counted up: where a copy of the database is put back, numbers that were used since would be
 * used again. Below 2^53.
 */
const NEW_REVISION = 'random() & 9007199254740991';

const REVISION_TABLE: DatabaseObject = Object.freeze({
  name: 'revisions',
  requires: [{ table: SYSTEM_TABLE }],
  create: `CREATE TABLE ${TABLE} (
    "type" TEXT PRIMARY KEY NOT NULL,
    "revision" INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Without it, remaining triggers would reject every write.
  drop: '',
  afterMigration: `UPDATE ${TABLE} SET "revision" = ${NEW_REVISION}`,
  parts: [TABLE],
});

const EVENTS = ['INSERT', 'UPDATE', 'DELETE'];

const triggerName = (table: string, event: string): string => `cms_revision_${table}_${event.toLowerCase()}`;

const revisionsOf = ({ name, tables }: RevisedTables): DatabaseObject => {
  const triggers = tables.flatMap((table) =>
    EVENTS.map((event) => ({ table, event, trigger: triggerName(table, event) })),
  );
  return {
    name: `revisions of ${name}`,
    requires: [{ table: SYSTEM_TABLE }, ...tables.map((table) => ({ table }))],
    create: [
      `INSERT OR REPLACE INTO ${TABLE} VALUES (${quoteText(name)}, ${NEW_REVISION});`,
      ...triggers.map(
        ({ table, event, trigger }) =>
          `CREATE TRIGGER ${quoteName(trigger)} AFTER ${event} ON ${quoteName(table)} BEGIN` +
          ` UPDATE ${TABLE} SET "revision" = ${NEW_REVISION} WHERE "type" = ${quoteText(name)}; END;`,
      ),
    ].join('\n'),
    drop: triggers.map(({ trigger }) => `DROP TRIGGER IF EXISTS ${quoteName(trigger)};`).join('\n'),
    parts: triggers.map(({ table, trigger }) => `${table}.${trigger}`),
  };
};

/** True if all triggers are there. They vanish where another tool replaces a table. */
const createIsComplete = (database: SqliteDatabase, parts: readonly string[]): (() => boolean) => {
  const schemaVersion = database.prepare<[], number>('pragma schema_version').pluck();
  const selectParts = database.prepare<[], string>(SQLITE_OBJECTS.partsSql).pluck();
  let checked: number | undefined;
  let isComplete = false;
  return () => {
    const version = schemaVersion.get();
    if (version !== checked) {
      const existing = new Set(selectParts.all());
      isComplete = parts.every((part) => existing.has(part));
      checked = version;
    }
    return isComplete;
  };
};

/**
 * `data_version` detects writes of other connections within microseconds. This connection never writes, so
 * writes of this process are detected, too.
 */
const openRevisions = async ({ url, parts }: RevisionOptions): Promise<OpenRevisions> => {
  const Database = await loadDriver();
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  database.pragma('query_only = ON');
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck();
  const isComplete = createIsComplete(database, parts);
  const select = database.prepare<[], [string, number]>(`SELECT "type", "revision" FROM ${TABLE}`).raw();
  let version: number | undefined;
  let revisions: Revisions | null = null;
  return {
    current: () => {
      // Read before the rows: a commit in between changes it again.
      const found = defined(dataVersion.get(), 'The version of the data');
      if (found === version) return revisions;
      revisions = isComplete() ? new Map(select.all()) : null;
      version = found;
      return revisions;
    },
    noteWrite: () => undefined,
    close: async () => {
      database.close();
    },
  };
};

export const SQLITE_REVISIONS = Object.freeze<RevisionSupport>({
  objectsFor: (types) => [REVISION_TABLE, ...types.map(revisionsOf)],
  open: openRevisions,
});

/** A poll costs microseconds, because SQLite counts the writes of other connections. */
const POLL_MS = 25;
/** Longer than a listening process may be blocked. */
const RETENTION_MS = 60_000;
/** The number of messages that one statement reads, so that a large import does not block requests. */
const BATCH = 500;

const NOW = "cast(unixepoch('subsec') * 1000 as integer)";

interface ChangeRow {
  readonly id: number;
  readonly message: string;
}

const openSqliteFeed = async (
  url: string,
  { onMessage, onError }: ChangeFeedHandlers,
): Promise<OpenChangeFeed> => {
  const Database = await loadDriver();
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  database.pragma('query_only = ON');
  const version = database.prepare<[], number>('pragma data_version').pluck();
  const selectAfter = database.prepare<[number], ChangeRow>(
    `select id, message from cms_changes where id > ? order by id limit ${BATCH}`,
  );
  let lastVersion = version.get();
  const maxId = database.prepare<[], number>('select coalesce(max(id), 0) from cms_changes').pluck();
  let lastId = defined(maxId.get(), 'The id of the last change');
  const readChanges = (): void => {
    const rows = selectAfter.all(lastId);
    for (const { id, message } of rows) {
      lastId = id;
      onMessage(message);
    }
    if (rows.length === BATCH) setImmediate(pollNow);
  };
  const pollNow = (): void => {
    if (!database.open) return;
    try {
      readChanges();
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => {
    const currentVersion = version.get();
    if (currentVersion === lastVersion) return;
    lastVersion = currentVersion;
    pollNow();
  }, POLL_MS).unref();
  return {
    pollNow,
    close: async () => {
      clearInterval(timer);
      database.close();
    },
  };
};

/** SQLite has no notifications. Messages are rows of a table, which listeners poll. */
export const SQLITE_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  announceSql: `
    insert into cms_changes (message, created_at)
    select value, ${NOW} from json_each(?)
    where exists (select 1 from cms_change_listeners where expires_at > ${NOW})`,
  listenersSql: `select watches from cms_change_listeners where expires_at > ${NOW}`,
  registerListenerSql: `
    insert into cms_change_listeners (id, watches, expires_at)
    values (?, ?, ${NOW} + ?)
    on conflict (id) do update set watches = excluded.watches, expires_at = excluded.expires_at`,
  cleanupSql: [
    `delete from cms_change_listeners where expires_at <= ${NOW}`,
    `delete from cms_changes where created_at < ${NOW} - ${RETENTION_MS}`,
  ],
  open: openSqliteFeed,
});
