import { defined } from '../../lib/defined.js';
import type { ChangeFeedHandlers, ChangeFeedSupport, OpenChangeFeed } from '../dialect/change-feed.js';
import { loadDriver } from './load-driver.js';
import { sqlitePath } from './url.js';

/** A poll costs microseconds: SQLite itself knows whether another connection has written. */
const POLL_MS = 25;
/** Longer than a listening process may be blocked. */
const RETENTION_MS = 60_000;
const BUSY_TIMEOUT_MS = 2000;
/** The number of messages read at once, so that a large import does not block requests. */
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
