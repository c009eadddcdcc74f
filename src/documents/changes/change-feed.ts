/**
 * Reports the writes of all processes to listeners, such as GraphQL subscriptions and GET /api/events.
 * announce-changes.ts adds each write to the log, in its transaction; leases.ts makes it do so.
 */
import { Mutex } from 'async-mutex';
import type { Database } from '../../database/database.js';
import { TAG_LISTENER } from '../../database/dialect/dialect.js';
import type { OpenChangeFeed } from '../../database/dialect/dialect.js';
import { coalesceRuns } from '../../lib/resources.js';
import type { ContentModel } from '../../model/model.js';
import { WRITE_ACTIONS } from '../hooks.js';
import type { DocumentHooks } from '../hooks.js';
import { createChangeLog } from './change-log.js';
import type { ChangeLog, DocumentChange, Position } from './change-log.js';
import { Lease, RECORD_IDS } from './leases.js';
import type { RecordId, Watch } from './leases.js';

export interface ChangeListener {
  /** Called in the order of the commits, until the subscription ends. */
  readonly onChange: (change: DocumentChange) => void;
  /** Called when cache tags were announced, in the same order. */
  readonly onTags?: () => void;
  /** Called when changes may have been missed. */
  readonly onGap: () => void;
}

/** The feed of writes to the project's content, by all processes that use the database. */
export interface ChangeFeed {
  /** Subscribes, and returns a function that ends this. Once it resolves, no later write is missed. */
  readonly subscribe: (listener: ChangeListener) => Promise<() => Promise<void>>;
  /** Like `subscribe`. Changes are then kept for some hours, also after the last listener has left. */
  readonly subscribeToRecord: (listener: ChangeListener) => Promise<() => Promise<void>>;
  /** Like `subscribeToRecord`. The cache tags of writes are then kept, too. */
  readonly subscribeToTags: (listener: ChangeListener) => Promise<() => Promise<void>>;
  /**
   * Adds the watch's key to removals of matching documents. Once it resolves, no later removal is missed.
   *
   * @throws `subscriptions/too-many-delete-filters`
   */
  readonly watch: (watch: Watch) => Promise<{ readonly key: string; readonly end: () => void }>;
  readonly log: ChangeLog;
  readonly close: () => Promise<void>;
}

interface ChangeFeedDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  /** The hooks of this process, so that its writes are noticed immediately. */
  readonly hooks: Pick<DocumentHooks, 'after'>;
  /** The hours for which recorded changes are kept. */
  readonly hours: number;
  /** Called once the cache tags of writes are recorded. */
  readonly onTagsRecorded?: () => void;
  /** Called with errors that no caller can catch. */
  readonly onError: (error: unknown) => void;
}

const RETRY_MS = 1000;

/** Follows the log from its end, and passes each change to a listener. */
class LogFollower {
  readonly #log: ChangeLog;
  readonly #listener: ChangeListener;
  /** Null: it does not follow. */
  #position: Position | null = null;
  /** Reads the new rows. */
  readonly wake: () => void;

  constructor(log: ChangeLog, listener: ChangeListener, onError: (error: unknown) => void) {
    this.#log = log;
    this.#listener = listener;
    const readAll = coalesceRuns(
      () => this.#readAll(),
      (error) => {
        if (this.#position === null) return;
        onError(error);
        setTimeout(this.wake, RETRY_MS).unref();
      },
    );
    this.wake = () => void readAll();
  }

  async start(): Promise<void> {
    this.#position = await this.#log.latest();
  }

  stop(): void {
    this.#position = null;
  }

  async #readAll(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const position = this.#position;
      const rows = position === null ? [] : await this.#log.readAfter(position);
      // It was stopped, or started again.
      if (this.#position !== position) return;
      if (rows === null) {
        this.#position = await this.#log.latest();
        this.#listener.onGap();
      }
      for (const { position: next, message } of rows ?? []) {
        this.#position = next;
        if (message === 'reset') this.#listener.onGap();
        else if (typeof message === 'string') continue;
        else if (message.action === 'tags') this.#listener.onTags?.();
        else this.#listener.onChange(message);
      }
      hasMore = rows === null || rows.length > 0;
    }
  }
}

/** Returns a listener that passes everything to others. */
const notifyAll = (listeners: Iterable<ChangeListener>): ChangeListener => {
  const notify = (call: (listener: ChangeListener) => void): void => {
    for (const listener of listeners) call(listener);
  };
  return {
    onChange: (change) => notify(({ onChange }) => onChange(change)),
    onTags: () => notify(({ onTags }) => onTags?.()),
    onGap: () => notify(({ onGap }) => onGap()),
  };
};

/** The listeners for which changes and cache tags are recorded. */
class Records {
  readonly #lease: Lease;
  readonly #listeners = new Map(RECORD_IDS.map((id) => [id, new Set<ChangeListener>()]));

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  add(listener: ChangeListener, ids: readonly RecordId[]): void {
    for (const id of ids) this.#listeners.get(id)?.add(listener);
  }

  delete(listener: ChangeListener): void {
    for (const [id, listeners] of this.#listeners)
      if (listeners.delete(listener) && listeners.size === 0) this.#lease.endRecord(id);
  }

  clear(): void {
    for (const [id, listeners] of this.#listeners) {
      listeners.clear();
      this.#lease.endRecord(id);
    }
  }
}

/**
 * Creates the change feed of a database. All listeners share one connection and one lease, which exist while
 * there are listeners.
 *
 * @example
 *   const feed = createChangeFeed({ database, model, hooks, hours: 24, onError });
 *   const end = await feed.subscribe({ onChange: print, onGap: reload });
 */
export function createChangeFeed(dependencies: ChangeFeedDependencies): ChangeFeed {
  const { database, hooks, onTagsRecorded, onError } = dependencies;
  const listeners = new Set<ChangeListener>();
  const mutex = new Mutex();
  const lease = new Lease(dependencies);
  const records = new Records(lease);
  const log = createChangeLog(database);
  const follower = new LogFollower(log, notifyAll(listeners), onError);
  let feed: OpenChangeFeed | null = null;
  const openFeed = async (): Promise<void> => {
    if (feed !== null) return;
    const openedFeed = await database.openChangeFeed({ onWake: follower.wake, onError });
    try {
      await follower.start();
      await lease.start();
    } catch (error) {
      follower.stop();
      await openedFeed.close();
      throw error;
    }
    feed = openedFeed;
  };
  const closeFeed = async (): Promise<void> => {
    if (feed === null || listeners.size > 0) return;
    const closingFeed = feed;
    feed = null;
    follower.stop();
    await lease.end().catch(onError);
    await closingFeed.close();
  };
  const open = async (ids: readonly RecordId[]): Promise<void> => {
    await openFeed();
    for (const id of ids) await lease.startRecord(id);
    if (ids.includes(TAG_LISTENER)) onTagsRecorded?.();
  };
  const end = async (listener: ChangeListener): Promise<void> => {
    records.delete(listener);
    if (listeners.delete(listener)) await mutex.runExclusive(closeFeed);
  };
  const subscribe = async (
    listener: ChangeListener,
    ids: readonly RecordId[],
  ): Promise<() => Promise<void>> => {
    listeners.add(listener);
    records.add(listener, ids);
    try {
      await mutex.runExclusive(() => open(ids));
    } catch (error) {
      await end(listener);
      onError(error);
      throw error;
    }
    return () => end(listener);
  };
  for (const action of WRITE_ACTIONS)
    hooks.after(action, () => {
      if (feed !== null) follower.wake();
    });
  return Object.freeze<ChangeFeed>({
    subscribe: (listener) => subscribe(listener, []),
    subscribeToRecord: (listener) => subscribe(listener, ['record']),
    subscribeToTags: (listener) => subscribe(listener, RECORD_IDS),
    watch: (watch) => lease.watch(watch),
    log,
    close: async () => {
      listeners.clear();
      records.clear();
      await mutex.runExclusive(closeFeed);
    },
  });
}
