import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import type { Database } from '../../database/database.js';
import type { OpenChangeFeed } from '../../database/dialect/changes.js';
import { createError } from '../../errors/catalogue.js';
import type { DocumentHooks } from '../hooks.js';
import { parseChange, printWatches, watchKey } from './document-change.js';
import type { DocumentChange, Watch } from './document-change.js';

/*
 * Reports the writes of all processes to subscribers, such as GraphQL subscriptions. announce-changes adds
 * each write to the feed, in its transaction.
 */

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

export interface ChangeFeedDependencies {
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
