import type { ChangeFeedHandlers, ChangeFeedSupport, OpenChangeFeed } from './change-feed.js';
import { sqlitePath } from './sqlite-url.js';

/** Looking costs microseconds: SQLite itself knows whether any other connection has written. */
const POLL_MS = 25;
/** Longer than any process that listens could be kept from looking. */
const KEPT_MS = 60_000;
const WAIT_MS = 2000;
/** Most messages taken at once, so that a large import leaves room for requests. */
const BATCH = 500;

const NOW = "cast(unixepoch('subsec') * 1000 as integer)";

interface ChangeRow {
  readonly id: number;
  readonly message: string;
}

const openSqliteFeed = async (url: string, { onMessage, onError }: ChangeFeedHandlers): Promise<OpenChangeFeed> => {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(sqlitePath(url), { fileMustExist: true, timeout: WAIT_MS });
  database.pragma('query_only = ON');
  const version = database.prepare<[], number>('pragma data_version').pluck();
  const later = database.prepare<[number], ChangeRow>(`select id, message from cms_changes where id > ? order by id limit ${BATCH}`);
  let known = version.get();
  let seen = database.prepare<[], number>('select coalesce(max(id), 0) from cms_changes').pluck().get() ?? 0;
  const take = (): void => {
    const rows = later.all(seen);
    for (const { id, message } of rows) {
      seen = id;
      onMessage(message);
    }
    if (rows.length === BATCH) setImmediate(wake);
  };
  const wake = (): void => {
    if (!database.open) return;
    try {
      take();
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => {
    const now = version.get();
    if (now === known) return;
    known = now;
    wake();
  }, POLL_MS).unref();
  return {
    wake,
    close: async () => {
      clearInterval(timer);
      database.close();
    },
  };
};

/** SQLite tells nobody anything, so that messages are rows, which listeners look for. */
export const SQLITE_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  announce: `insert into cms_changes (message, created_at) select ?, ${NOW} where exists (select 1 from cms_change_listeners where expires_at > ${NOW})`,
  listeners: `select watches from cms_change_listeners where expires_at > ${NOW}`,
  listen: `insert into cms_change_listeners (id, watches, expires_at) values (?, ?, ${NOW} + ?)
    on conflict (id) do update set watches = excluded.watches, expires_at = excluded.expires_at`,
  sweeps: [`delete from cms_change_listeners where expires_at <= ${NOW}`, `delete from cms_changes where created_at < ${NOW} - ${KEPT_MS}`],
  open: openSqliteFeed,
});
