import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { defined } from '../../lib/defined.js';
import { createError } from '../../errors/catalogue.js';
import type { ChangeFeedHandlers, ChangeFeedSupport, OpenChangeFeed } from '../change-feed.js';
import { openPostgresClient } from './client.js';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Each schema of a database has its own channel. */
const CHANNEL = "'galley_' || md5(current_schema())";

const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;
/** How often an open connection is checked, since it may be dead without having been closed. */
const HEALTH_CHECK_INTERVAL_MS = 15_000;
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5000;

type Connect = () => Promise<Client>;

const createConnector =
  (url: string, onMessage: (message: string) => void): Connect =>
  async () => {
    const { client, kind } = await openPostgresClient(url, {
      application_name: 'galley changes',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    client.on('notification', ({ payload }) => onMessage(defined(payload, 'The payload of a notification')));
    try {
      if (kind.isPooled) throw createError('database/direct-url-missing', { purpose: 'Subscriptions' });
      const { rows } = await client.query<{ readonly channel: string }>(`select ${CHANNEL} as channel`);
      const { channel } = defined(rows[0], 'The name of the channel');
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  };

/** Keeps one listening connection. Checks it regularly, and reconnects where it is lost. */
class PostgresChangeFeed implements OpenChangeFeed {
  readonly #connect: Connect;
  readonly #handlers: ChangeFeedHandlers;
  readonly #stopped = new AbortController();
  #client: Client;
  #healthCheck: NodeJS.Timeout | undefined;

  constructor(client: Client, connect: Connect, handlers: ChangeFeedHandlers) {
    this.#client = client;
    this.#connect = connect;
    this.#handlers = handlers;
    this.#watchConnection();
  }

  readonly pollNow = (): void => undefined;

  readonly close = async (): Promise<void> => {
    this.#stopped.abort();
    clearInterval(this.#healthCheck);
    await this.#client.end().catch(() => undefined);
  };

  #watchConnection(): void {
    const client = this.#client;
    let isLost = false;
    const handleDisconnect = (): void => {
      if (isLost || this.#stopped.signal.aborted) return;
      isLost = true;
      clearInterval(this.#healthCheck);
      void client.end().catch(() => undefined);
      void this.#reconnect();
    };
    client.once('end', handleDisconnect);
    this.#healthCheck = setInterval(
      () => void client.query('select 1').catch(handleDisconnect),
      HEALTH_CHECK_INTERVAL_MS,
    ).unref();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#stopped;
    for (let backoff = MIN_BACKOFF_MS; ; backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)) {
      try {
        await sleep(backoff, undefined, { ref: false, signal });
        this.#client = await this.#connect();
        break;
      } catch (error) {
        if (signal.aborted) return;
        this.#handlers.onError(error);
      }
    }
    if (signal.aborted) return void this.#client.end().catch(() => undefined);
    this.#watchConnection();
    this.#handlers.onGap();
  }
}

const openPostgresFeed = async (url: string, handlers: ChangeFeedHandlers): Promise<OpenChangeFeed> => {
  const connect = createConnector(url, handlers.onMessage);
  return new PostgresChangeFeed(await connect(), connect, handlers);
};

/** PostgreSQL delivers the notifications of a transaction to listening connections when it commits. */
export const POSTGRES_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  announceSql: `
    select pg_notify(${CHANNEL}, $1)::text
    from (select 1 from cms_change_listeners where expires_at > ${NOW} limit 1) as listener`,
  listenersSql: `select watches from cms_change_listeners where expires_at > ${NOW}`,
  registerListenerSql: `
    insert into cms_change_listeners (id, watches, expires_at)
    values ($1, $2, ${NOW} + $3::int)
    on conflict (id) do update set watches = excluded.watches, expires_at = excluded.expires_at`,
  cleanupSql: [`delete from cms_change_listeners where expires_at <= ${NOW}`],
  open: openPostgresFeed,
});
