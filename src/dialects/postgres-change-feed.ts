import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ChangeFeedHandlers, ChangeFeedSupport, OpenChangeFeed } from './change-feed.js';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Projects in other schemas of the same database have a channel of their own. */
const CHANNEL = "'galley_' || md5(current_schema())";

const CONNECT_MS = 10_000;
const ANSWER_MS = 10_000;
/** A connection that is dead without having been closed is found out that soon. */
const CHECK_MS = 15_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

type Connect = () => Promise<Client>;

const connector = async (url: string, onMessage: (message: string) => void): Promise<Connect> => {
  const { default: pg } = await import('pg');
  return async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'galley changes', keepAlive: true, connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS });
    // Breaking is told by `end`; without a listener it would end the process.
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await client.connect();
      const { rows } = await client.query<{ readonly channel: string }>(`select ${CHANNEL} as channel`);
      await client.query(`LISTEN ${client.escapeIdentifier(rows[0]?.channel ?? '')}`);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  };
};

/** Keeps one connection listening: looks whether it still answers, and makes another one where it does not. */
class Listening implements OpenChangeFeed {
  readonly #connect: Connect;
  readonly #handlers: ChangeFeedHandlers;
  readonly #stopped = new AbortController();
  #client: Client;
  #check: NodeJS.Timeout | undefined;

  constructor(client: Client, connect: Connect, handlers: ChangeFeedHandlers) {
    this.#client = client;
    this.#connect = connect;
    this.#handlers = handlers;
    this.#follow();
  }

  readonly wake = (): void => undefined;

  readonly close = async (): Promise<void> => {
    this.#stopped.abort();
    clearInterval(this.#check);
    await this.#client.end().catch(() => undefined);
  };

  #follow(): void {
    const client = this.#client;
    let isLost = false;
    const lose = (): void => {
      if (isLost || this.#stopped.signal.aborted) return;
      isLost = true;
      clearInterval(this.#check);
      void client.end().catch(() => undefined);
      void this.#reconnect();
    };
    client.once('end', lose);
    this.#check = setInterval(() => void client.query('select 1').catch(lose), CHECK_MS).unref();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#stopped;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await sleep(pause, undefined, { ref: false, signal });
        this.#client = await this.#connect();
        break;
      } catch (error) {
        if (signal.aborted) return;
        this.#handlers.onError(error);
      }
    }
    if (signal.aborted) return void this.#client.end().catch(() => undefined);
    this.#follow();
    this.#handlers.onGap();
  }
}

const openPostgresFeed = async (url: string, handlers: ChangeFeedHandlers): Promise<OpenChangeFeed> => {
  const connect = await connector(url, handlers.onMessage);
  return new Listening(await connect(), connect, handlers);
};

/** PostgreSQL delivers what a transaction announced when it is committed, to connections that listen. */
export const POSTGRES_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  announce: `select pg_notify(${CHANNEL}, $1)::text from (select 1 from cms_change_listeners where expires_at > ${NOW} limit 1) as listener`,
  listeners: `select watches from cms_change_listeners where expires_at > ${NOW}`,
  listen: `insert into cms_change_listeners (id, watches, expires_at) values ($1, $2, ${NOW} + $3::int)
    on conflict (id) do update set watches = excluded.watches, expires_at = excluded.expires_at`,
  sweeps: [`delete from cms_change_listeners where expires_at <= ${NOW}`],
  open: openPostgresFeed,
});
