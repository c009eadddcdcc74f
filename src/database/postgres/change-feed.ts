import type { ChangeFeedHandlers, ChangeFeedSupport, OpenChangeFeed } from '../dialect/change-feed.js';
import { ListeningConnection } from './listening-connection.js';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Each schema of a database has its own channel. */
const CHANNEL = "'galley_' || md5(current_schema())";

const openPostgresFeed = async (url: string, handlers: ChangeFeedHandlers): Promise<OpenChangeFeed> => {
  const { close } = await ListeningConnection.open({
    url,
    channel: CHANNEL,
    applicationName: 'galley changes',
    purpose: 'Subscriptions',
    ...handlers,
  });
  return { pollNow: () => undefined, close };
};

/** PostgreSQL delivers the notifications of a transaction to listening connections when it commits. */
export const POSTGRES_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  announceSql: `
    select count(pg_notify(${CHANNEL}, message)::text)
    from (select 1 from cms_change_listeners where expires_at > ${NOW} limit 1) as listener,
      json_array_elements_text($1::json) as message`,
  listenersSql: `select watches from cms_change_listeners where expires_at > ${NOW}`,
  registerListenerSql: `
    insert into cms_change_listeners (id, watches, expires_at)
    values ($1, $2, ${NOW} + $3::int)
    on conflict (id) do update set watches = excluded.watches, expires_at = excluded.expires_at`,
  cleanupSql: [`delete from cms_change_listeners where expires_at <= ${NOW}`],
  open: openPostgresFeed,
});
