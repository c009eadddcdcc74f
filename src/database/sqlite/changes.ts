import { SYSTEM_TABLE, TAG_LISTENER } from '../dialect/dialect.js';
import type {
  ChangeFeedHandlers,
  ChangeFeedSupport,
  OpenChangeFeed,
  OpenRevisions,
  RevisedTables,
  RevisionOptions,
  RevisionSupport,
  Revisions,
} from '../dialect/dialect.js';
import type { DatabaseObject } from '../dialect/migration-support.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { loadDriver, sqlitePath } from './driver.js';
import type { SqliteConnection } from './drivers/connection.js';
import { SQLITE_OBJECTS } from './objects.js';

const TABLE = 'cms_revisions';

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
const createIsComplete = (database: SqliteConnection, parts: readonly string[]): (() => boolean) => {
  const schemaVersion = database.prepare('pragma schema_version');
  const selectParts = database.prepare(SQLITE_OBJECTS.partsSql);
  let checked: unknown;
  let isComplete = false;
  return () => {
    const [version] = schemaVersion.values();
    if (version !== checked) {
      const existing = new Set(selectParts.values());
      isComplete = parts.every((part) => existing.has(part));
      checked = version;
    }
    return isComplete;
  };
};

/** Opens a connection whose statements write nothing. */
const openForReading = async (url: string): Promise<SqliteConnection> => {
  const open = await loadDriver();
  const database = open(sqlitePath(url), { mode: 'write' });
  database.exec('pragma query_only = ON');
  return database;
};

const toRevision = ([type, revision]: readonly unknown[]): readonly [string, number] => [
  String(type),
  Number(revision),
];

/**
 * `data_version` detects writes of other connections within microseconds. This connection never writes, so
 * writes of this process are detected, too.
 */
const openRevisions = async ({ url, parts }: RevisionOptions): Promise<OpenRevisions> => {
  const database = await openForReading(url);
  const dataVersion = database.prepare('pragma data_version');
  const isComplete = createIsComplete(database, parts);
  const select = database.prepare(`SELECT "type", "revision" FROM ${TABLE}`);
  let version: unknown;
  let revisions: Revisions | null = null;
  return {
    current: () => {
      // Read before the rows: a commit in between changes it again.
      const [found] = dataVersion.values();
      if (found === version) return revisions;
      revisions = isComplete() ? new Map(select.rows().map(toRevision)) : null;
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

const NOW = "cast(unixepoch('subsec') * 1000 as integer)";

/** This connection never writes, so it notices the writes of this process, too. */
const openSqliteFeed = async (
  url: string,
  { onWake, onError }: ChangeFeedHandlers,
): Promise<OpenChangeFeed> => {
  const database = await openForReading(url);
  const version = database.prepare('pragma data_version');
  let [lastVersion] = version.values();
  const timer = setInterval(() => {
    try {
      const [currentVersion] = version.values();
      if (currentVersion === lastVersion) return;
      lastVersion = currentVersion;
      onWake();
    } catch (error) {
      onError(error);
    }
  }, POLL_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      database.close();
    },
  };
};

/** SQLite has no notifications, so listeners poll. Its only writer assigns ids in the order of commits. */
export const SQLITE_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  nowSql: NOW,
  announceSql: `
    insert into cms_changes (message, created_at)
    select value, ${NOW} from (
      select value from json_each(?)
      union all
      select value from json_each(?)
      where exists (select 1 from cms_change_listeners where id = '${TAG_LISTENER}' and expires_at > ${NOW})
    )
    where exists (select 1 from cms_change_listeners where expires_at > ${NOW})`,
  pendingSql: null,
  open: openSqliteFeed,
});
