import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { defined } from '../../lib/assert.js';
import { SYSTEM_TABLE, TAG_LISTENER } from '../dialect/dialect.js';
import type {
  OpenRevisions,
  RevisedTables,
  RevisionOptions,
  RevisionSupport,
  Revisions,
  ChangeFeedHandlers,
  ChangeFeedSupport,
  OpenChangeFeed,
} from '../dialect/dialect.js';
import type { DatabaseObject } from '../dialect/migration-support.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { POSTGRES_OBJECTS } from './migrations.js';
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
class ListeningConnection {
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
const CHANGE_CHANNEL = "'galley_' || md5(current_schema())";

/** Interval of polls where a pooler prevents notifications. */
const POLL_MS = 250;

const openPostgresFeed = async (
  url: string,
  { onWake, onError }: ChangeFeedHandlers,
): Promise<OpenChangeFeed> => {
  try {
    const { close } = await ListeningConnection.open({
      url,
      channel: CHANGE_CHANNEL,
      applicationName: 'galley changes',
      purpose: 'Notifications of changes',
      onMessage: onWake,
      onGap: onWake,
      onError,
    });
    return { close };
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'database/direct-url-missing') throw error;
    const timer = setInterval(onWake, POLL_MS).unref();
    return { close: async () => clearInterval(timer) };
  }
};

const HAS_LISTENER = `select 1 from cms_change_listeners where expires_at > ${NOW} limit 1`;

/**
 * PostgreSQL assigns ids in the order of insertions, so that a lock orders the insertions like the commits.
 * It is held only until the commit, which notifications serialize in any case. Waiting for it is no conflict
 * with another write and has no limit.
 */
export const POSTGRES_CHANGE_FEED: ChangeFeedSupport = Object.freeze({
  nowSql: NOW,
  announceSql: `
    with patient as materialized (
      select set_config('lock_timeout', '0', true) from (${HAS_LISTENER}) as listener
    ), locked as materialized (
      select pg_advisory_xact_lock(hashtextextended(${CHANGE_CHANNEL}, 0)) from patient
    ), added as (
      insert into cms_changes (message, created_at)
      select message, ${NOW} from locked, (
        select json_array_elements_text($1::json) as message
        union all
        select json_array_elements_text($2::json) where exists (
          select 1 from cms_change_listeners where id = '${TAG_LISTENER}' and expires_at > ${NOW}
        )
      ) as messages
      returning id
    )
    select pg_notify(${CHANGE_CHANNEL}, '') from added`,
  pendingSql: `
    select distinct looked.virtualtransaction
    from pg_locks as looked join pg_locks as writing
      on writing.virtualtransaction = looked.virtualtransaction and writing.locktype = 'transactionid'
      and writing.mode = 'ExclusiveLock' and writing.granted
    where looked.locktype = 'relation' and looked.relation = 'cms_change_listeners'::regclass
      and looked.database = (select oid from pg_database where datname = current_database())
      and looked.pid <> pg_backend_pid()`,
  open: openPostgresFeed,
});

/** Each schema of a database has a separate channel. Triggers name it in the same way. */
const REVISION_CHANNEL = "'galley_revisions_' || md5(current_schema())";

/** Message announcing changes of all types. */
const EVERY_TYPE = '';

class MissingTriggers extends Error {
  override readonly name = 'MissingTriggers';
}

/** Asserts that all triggers are there. They vanish where another tool replaces a table. */
const assertComplete = async (client: Client, parts: readonly string[]): Promise<void> => {
  const { rows } = await client.query<{ readonly part: string }>(POSTGRES_OBJECTS.partsSql);
  const existing = new Set(rows.map(({ part }) => part));
  const missing = parts.filter((part) => !existing.has(part));
  if (missing.length > 0) throw new MissingTriggers(`The database lacks ${missing.join(', ')}`);
};

/** Counts the announcements on the listening connection. While it is lost, no revision is known. */
class Announcements {
  readonly #types: readonly string[];
  #revisions: Revisions = new Map();
  #last = 0;
  #isListening = true;

  constructor(types: readonly string[]) {
    this.#types = types;
    this.onMessage(EVERY_TYPE);
  }

  readonly onMessage = (type: string): void => {
    this.#last += 1;
    const changed = type === EVERY_TYPE ? this.#types : [type];
    const revisions = new Map(this.#revisions);
    for (const each of changed) revisions.set(each, this.#last);
    this.#revisions = revisions;
  };

  readonly onLost = (): void => {
    this.#isListening = false;
  };

  readonly onGap = (): void => {
    this.onMessage(EVERY_TYPE);
    this.#isListening = true;
  };

  readonly current = (): Revisions | null => (this.#isListening ? this.#revisions : null);
}

/** Shares round trips: each caller waits for one that begins after its call. */
const createSettle = (settle: () => Promise<void>): (() => Promise<boolean>) => {
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;
  const start = (): Promise<boolean> => {
    running = settle()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = null;
      });
    return running;
  };
  const startNext = (): Promise<boolean> => {
    next = null;
    return start();
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(startNext);
    return next;
  };
};

/**
 * PostgreSQL notifies a listening connection of the types that a committed transaction changed. After a write
 * of this process, and always in strict mode, a round trip makes sure that all notifications have arrived.
 */
async function openPostgresRevisions(options: RevisionOptions): Promise<OpenRevisions> {
  const { url, types, parts, isStrict, onError } = options;
  const announcements = new Announcements(types);
  const connection = await ListeningConnection.open({
    url,
    channel: REVISION_CHANNEL,
    applicationName: 'galley revisions',
    purpose: 'Cached responses',
    check: (client) => assertComplete(client, parts),
    onMessage: announcements.onMessage,
    onLost: announcements.onLost,
    onGap: announcements.onGap,
    onError,
  });
  const settle = createSettle(connection.settle);
  let hasWritten = false;
  let settling: Promise<boolean> | null = null;
  const settled = async (pending: Promise<boolean>): Promise<Revisions | null> => {
    const isKnown = await pending;
    if (settling === pending) settling = null;
    return isKnown ? announcements.current() : null;
  };
  return {
    current: () => {
      if (hasWritten || isStrict) {
        hasWritten = false;
        settling = settle();
      }
      return settling === null ? announcements.current() : settled(settling);
    },
    noteWrite: () => {
      hasWritten = true;
    },
    close: connection.close,
  };
}

const FUNCTION = 'cms_announce_revision';
const TRIGGER = 'cms_revision';

/** A transaction announces each type once, when it commits. */
const ANNOUNCE: DatabaseObject = Object.freeze({
  name: 'revisions',
  requires: [{ table: SYSTEM_TABLE }],
  create: `
CREATE OR REPLACE FUNCTION ${FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('galley_revisions_' || pg_catalog.md5(TG_TABLE_SCHEMA), TG_ARGV[0]);
  RETURN NULL;
END $$;`,
  // Without it, remaining triggers would reject every write.
  drop: '',
  afterMigration: `SELECT pg_notify('galley_revisions_' || md5(current_schema()), ${quoteText(EVERY_TYPE)})`,
  parts: [`${FUNCTION}()`],
});

const revisionsOf = ({ name, tables }: RevisedTables): DatabaseObject => ({
  name: `revisions of ${name}`,
  requires: [{ table: SYSTEM_TABLE }, ...tables.map((table) => ({ table }))],
  create: tables
    .map(
      (table) =>
        `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quoteName(table)}` +
        ` FOR EACH STATEMENT EXECUTE FUNCTION ${FUNCTION}(${quoteText(name)});`,
    )
    .join('\n'),
  drop: tables.map((table) => `DROP TRIGGER IF EXISTS ${TRIGGER} ON ${quoteName(table)};`).join('\n'),
  parts: tables.map((table) => `${table}.${TRIGGER}`),
});

export const POSTGRES_REVISIONS = Object.freeze<RevisionSupport>({
  objectsFor: (types) => [ANNOUNCE, ...types.map(revisionsOf)],
  open: openPostgresRevisions,
});
