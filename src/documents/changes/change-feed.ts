/**
 * Reports the writes of all processes to subscribers, such as GraphQL subscriptions. announce-changes.ts adds
 * each write to the feed, in its transaction.
 */
import { randomUUID, createHash } from 'node:crypto';
import { Mutex } from 'async-mutex';
import type { Database } from '../../database/database.js';
import type { OpenChangeFeed } from '../../database/dialect/dialect.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import type { DocumentHooks, WriteAction } from '../hooks.js';

/** A query for documents, whose removal is reported to the listener. */
export type Watch = Pick<
  ReadQuery,
  'type' | 'filter' | 'locale' | 'status' | 'hasPublishedVersion' | 'publicationFilter' | 'withoutDrafts'
>;

const KEY_LENGTH = 16;

/** Tags big integers, which JSON cannot represent, in filters. */
const tagBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { $bigint: String(value) } : value;

const tagTimes = (value: unknown): unknown => {
  if (value instanceof Date) return { $time: value.toISOString() };
  if (Array.isArray(value)) return value.map(tagTimes);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tagTimes(item)]))
    : value;
};

const restoreTagged = (_key: string, value: unknown): unknown => {
  if (!isRecord(value)) return value;
  if (typeof value['$bigint'] === 'string') return BigInt(value['$bigint']);
  return typeof value['$time'] === 'string' ? new Date(value['$time']) : value;
};

const printWatch = ({
  type,
  filter,
  locale,
  status,
  hasPublishedVersion,
  publicationFilter,
  withoutDrafts,
}: Watch): string =>
  JSON.stringify(
    tagTimes({ type, filter, locale, status, hasPublishedVersion, publicationFilter, withoutDrafts }),
    tagBigint,
  );

/** Returns the key of a watch in messages. Equal watches have equal keys. */
export function watchKey(watch: Watch): string {
  return createHash('sha256').update(printWatch(watch)).digest('base64url').slice(0, KEY_LENGTH);
}

/** Prints the watches of one process with their keys. */
function printWatches(watches: ReadonlyMap<string, Watch>): string {
  return `{${[...watches].map(([key, watch]) => `${JSON.stringify(key)}:${printWatch(watch)}`).join(',')}}`;
}

/** Parses the text of {@link printWatches}. */
export function parseWatches(text: string): readonly (readonly [key: string, watch: Watch])[] {
  return Object.entries(JSON.parse(text, restoreTagged) as Readonly<Record<string, Watch>>);
}

/** A committed write of any process. */
export interface DocumentChange {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The written locale. Null for types that are not localised, and if all locales were deleted. */
  readonly locale: string | null;
  /** `published`: the published version was written, and the draft if the type has drafts. */
  readonly status: VersionStatus | null;
  /** If a version was removed: the keys of the watches that matched it. */
  readonly watches: readonly string[];
}

/** Prints a change as a message for all listening processes. {@link parseChange} reads it. */
export function printChange({ action, type, documentId, locale, status, watches }: DocumentChange): string {
  return JSON.stringify({
    action,
    type,
    documentId,
    locale,
    status,
    ...(watches.length === 0 ? {} : { watches }),
  });
}

/** Parses a message. Returns null if it is not a valid change. */
function parseChange(text: string): DocumentChange | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (
    !isRecord(value) ||
    typeof value['type'] !== 'string' ||
    typeof value['documentId'] !== 'string' ||
    typeof value['action'] !== 'string'
  )
    return null;
  return {
    ...(value as unknown as DocumentChange),
    watches: Array.isArray(value['watches']) ? (value['watches'] as string[]) : [],
  };
}

export interface ChangeListener {
  /** Called in the order of the commits, until the subscription ends. */
  readonly onChange: (change: DocumentChange) => void;
  /** Called when changes may have been missed. */
  readonly onGap: () => void;
}

/** The feed of writes to the project's content, by all processes that use the database. */
export interface ChangeFeed {
  /** Subscribes, and returns a function that ends this. Once it resolves, no later write is missed. */
  readonly subscribe: (listener: ChangeListener) => Promise<() => Promise<void>>;
  /**
   * Adds the watch's key to removals of matching documents. Once it resolves, no later removal is missed.
   *
   * @throws `subscriptions/too-many-delete-filters`
   */
  readonly watch: (watch: Watch) => Promise<{ readonly key: string; readonly end: () => void }>;
  readonly close: () => Promise<void>;
}

interface ChangeFeedDependencies {
  readonly database: Database;
  /** The hooks of this process, so that its writes are noticed immediately. */
  readonly hooks: Pick<DocumentHooks, 'after'>;
  /** Called with errors that no caller can catch. */
  readonly onError: (error: unknown) => void;
}

/** After this time without renewal a process no longer counts as listening. */
const LEASE_MS = 30_000;
const LEASE_RENEWAL_MS = 10_000;
/** Every removal runs one query for each watch. */
const MAX_WATCHES = 200;

interface WatchEntry {
  readonly watch: Watch;
  referenceCount: number;
}

/** Maintains the row in the database with the lease and the watches of this process. */
class Lease {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #id = randomUUID();
  readonly #mutex = new Mutex();
  readonly #watches = new Map<string, WatchEntry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  async start(): Promise<void> {
    await this.#write();
    this.#timer = setInterval(() => void this.#write().catch(this.#onError), LEASE_RENEWAL_MS).unref();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#mutex.runExclusive(() =>
      this.#transact([[this.#database.dialect.changeFeed.registerListenerSql, [this.#id, '{}', 0]]]),
    );
  }

  async watch(watch: Watch): Promise<{ readonly key: string; readonly end: () => void }> {
    const key = watchKey(watch);
    const existing = this.#watches.get(key);
    if (existing === undefined && this.#watches.size >= MAX_WATCHES)
      throw createError('subscriptions/too-many-delete-filters', { limit: MAX_WATCHES });
    this.#watches.set(key, { watch, referenceCount: (existing?.referenceCount ?? 0) + 1 });
    // A known watch may not be written yet.
    await (existing === undefined ? this.#write() : this.#mutex.runExclusive(async () => undefined));
    let isActive = true;
    const end = (): void => {
      const entry = this.#watches.get(key);
      if (!isActive || entry === undefined) return;
      isActive = false;
      entry.referenceCount -= 1;
      // The next renewal writes this. Until then, changes contain a key that nobody uses.
      if (entry.referenceCount === 0) this.#watches.delete(key);
    };
    return { key, end };
  }

  /** Concurrent calls run one after another. Each writes the state at that time. */
  #write(): Promise<void> {
    return this.#mutex.runExclusive(() => {
      const { registerListenerSql: listen, cleanupSql: sweeps } = this.#database.dialect.changeFeed;
      const watches = printWatches(new Map([...this.#watches].map(([key, { watch }]) => [key, watch])));
      return this.#transact([
        ...sweeps.map((sweep) => [sweep, []] as const),
        [listen, [this.#id, watches, LEASE_MS]],
      ]);
    });
  }

  async #transact(
    statements: readonly (readonly [sql: string, parameters: readonly unknown[]])[],
  ): Promise<void> {
    await this.#database.transact(async (tx) => {
      for (const [sql, parameters] of statements) await tx.execute(sql, parameters);
    });
  }
}

/**
 * Creates the change feed of a database. All listeners share one connection and one lease, which exist while
 * there are listeners.
 *
 * @example
 *   const feed = createChangeFeed({ database, hooks, onError });
 *   const end = await feed.subscribe({ onChange: print, onGap: reload });
 */
export function createChangeFeed({ database, hooks, onError }: ChangeFeedDependencies): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  const mutex = new Mutex();
  const lease = new Lease(database, onError);
  let feed: OpenChangeFeed | null = null;
  const notify = (call: (listener: ChangeListener) => void): void => {
    for (const listener of listeners) call(listener);
  };
  const onMessage = (message: string): void => {
    const change = parseChange(message);
    if (change !== null) notify(({ onChange }) => onChange(change));
  };
  const openFeed = async (): Promise<void> => {
    if (feed !== null) return;
    const openedFeed = await database.openChangeFeed({
      onMessage,
      onGap: () => notify(({ onGap }) => onGap()),
      onError,
    });
    try {
      await lease.start();
    } catch (error) {
      await openedFeed.close();
      throw error;
    }
    feed = openedFeed;
  };
  const closeFeed = async (): Promise<void> => {
    if (feed === null || listeners.size > 0) return;
    const closingFeed = feed;
    feed = null;
    await lease.end().catch(onError);
    await closingFeed.close();
  };
  for (const action of ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'] as const)
    hooks.after(action, () => feed?.pollNow());
  return Object.freeze<ChangeFeed>({
    subscribe: async (listener) => {
      listeners.add(listener);
      try {
        await mutex.runExclusive(openFeed);
      } catch (error) {
        listeners.delete(listener);
        onError(error);
        throw error;
      }
      return async () => {
        if (listeners.delete(listener)) await mutex.runExclusive(closeFeed);
      };
    },
    watch: (watch) => lease.watch(watch),
    close: async () => {
      listeners.clear();
      await mutex.runExclusive(closeFeed);
    },
  });
}
