import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import type { ChangeFeedHandlers, ChangeFeedSupport, OpenChangeFeed } from '../dialect/changes.js';
import { openPostgresClient } from './connections.js';

const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;
/** Interval between checks of an open connection, since it may be dead without having been closed. */
const HEALTH_CHECK_INTERVAL_MS = 15_000;
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5000;

interface ListenOptions {
  readonly url: string;
  /** SQL for the name of the channel. */
  readonly channel: string;
  /** The name that the database shows for the connection. */
  readonly applicationName: string;
  /** Feature that needs the connection, for the error if sessions are pooled. */
  readonly purpose: string;
  readonly onMessage: (message: string) => void;
  /** The connection is lost. Messages may be missed from now on. */
  readonly onLost?: () => void;
  /** It is open again. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  /** Runs on each new connection once it listens, and from time to time. An error closes the connection. */
  readonly check?: (client: Client) => Promise<unknown>;
}

type Connect = () => Promise<Client>;

const askAnything = (client: Client): Promise<unknown> => client.query('select 1');

const createConnector =
  ({ url, channel, applicationName, purpose, onMessage, check }: ListenOptions): Connect =>
  async () => {
    const { client, kind } = await openPostgresClient(url, {
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    client.on('notification', ({ payload }) => onMessage(defined(payload, 'The payload of a notification')));
    try {
      if (kind.isPooled) throw createError('database/direct-url-missing', { purpose });
      const { rows } = await client.query<{ readonly channel: string }>(`select ${channel} as channel`);
      const name = defined(rows[0], 'The name of the channel').channel;
      await client.query(`LISTEN ${client.escapeIdentifier(name)}`);
      await check?.(client);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  };

/** Keeps one listening connection. Checks it regularly, and reconnects where it is lost. */
export class ListeningConnection {
  readonly #connect: Connect;
  readonly #options: ListenOptions;
  readonly #stopped = new AbortController();
  #client: Client;
  #healthCheck: NodeJS.Timeout | undefined;

  private constructor(client: Client, connect: Connect, options: ListenOptions) {
    this.#client = client;
    this.#connect = connect;
    this.#options = options;
    this.#watchConnection();
  }

  static async open(options: ListenOptions): Promise<ListeningConnection> {
    const connect = createConnector(options);
    return new ListeningConnection(await connect(), connect, options);
  }

  /**
   * Waits for the messages of all transactions whose commit was acknowledged before the call. The server
   * notifies listeners before it acknowledges a commit, and sends pending messages before a query result.
   */
  readonly settle = async (): Promise<void> => void (await askAnything(this.#client));

  readonly close = async (): Promise<void> => {
    this.#stopped.abort();
    clearInterval(this.#healthCheck);
    await this.#client.end().catch(() => undefined);
  };

  #watchConnection(): void {
    const client = this.#client;
    const { check = askAnything, onLost } = this.#options;
    let isLost = false;
    const handleDisconnect = (): void => {
      if (isLost || this.#stopped.signal.aborted) return;
      isLost = true;
      onLost?.();
      clearInterval(this.#healthCheck);
      void client.end().catch(() => undefined);
      void this.#reconnect();
    };
    client.once('end', handleDisconnect);
    this.#healthCheck = setInterval(
      () => void check(client).catch(handleDisconnect),
      HEALTH_CHECK_INTERVAL_MS,
    ).unref();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#stopped;
    const { onGap, onError } = this.#options;
    for (let backoff = MIN_BACKOFF_MS; ; backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)) {
      try {
        await sleep(backoff, undefined, { ref: false, signal });
        this.#client = await this.#connect();
        break;
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
      }
    }
    if (signal.aborted) return void this.#client.end().catch(() => undefined);
    this.#watchConnection();
    onGap();
  }
}

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Each schema of a database has a separate channel. */
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
