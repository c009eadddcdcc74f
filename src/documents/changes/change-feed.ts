import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/database.js';
import type { OpenChangeFeed } from '../../dialects/change-feed.js';
import { fail } from '../../errors/catalogue.js';
import { createTurns } from '../../lib/turns.js';
import type { DocumentHooks } from '../hooks.js';
import { parseChange } from './document-change.js';
import type { DocumentChange } from './document-change.js';
import { printWatches, watchKey } from './watch.js';
import type { Watch } from './watch.js';

export interface ChangeListener {
  /** In the order of the commits, until `end` is called. */
  readonly onChange: (change: DocumentChange) => void;
  /** Changes may have been missed. */
  readonly onGap: () => void;
}

/** What is written to the project's content from now on, by any process over the same database. */
export interface ChangeFeed {
  /** Once it resolves, no later write is missed. Call what it answers to hear no more. */
  readonly follow: (listener: ChangeListener) => Promise<() => Promise<void>>;
  /**
   * Has removals of these documents tell their key. Once it resolves, no later removal is missed. Call `end` to be told no more.
   * Throws `changes/too-many-watches`.
   */
  readonly watch: (watch: Watch) => Promise<{ readonly key: string; readonly end: () => void }>;
  readonly close: () => Promise<void>;
}

export interface ChangeFeedParts {
  readonly database: Database;
  /** Of the writes of this process, which need not be looked for. */
  readonly hooks: Pick<DocumentHooks, 'after'>;
  /** Told of faults nobody waits for. */
  readonly onError: (error: unknown) => void;
}

/** How long a process that ended without saying so is still announced to. */
const BELIEVED_MS = 30_000;
const RENEWAL_MS = 10_000;
/** Every removal asks for each of them. */
const MOST_WATCHES = 200;

interface Watched {
  readonly watch: Watch;
  holders: number;
}

/** Says in the database that this process listens, and what it watches, until it is told otherwise. */
class Lease {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #id = randomUUID();
  readonly #turns = createTurns();
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  async begin(): Promise<void> {
    await this.#write();
    this.#timer = setInterval(() => void this.#write().catch(this.#onError), RENEWAL_MS).unref();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#turns.run(() => this.#transact([[this.#database.dialect.changeFeed.listen, [this.#id, '{}', 0]]]));
  }

  async watch(watch: Watch): Promise<{ readonly key: string; readonly end: () => void }> {
    const key = watchKey(watch);
    const known = this.#watched.get(key);
    if (known === undefined && this.#watched.size >= MOST_WATCHES) throw fail('changes/too-many-watches', { limit: MOST_WATCHES });
    this.#watched.set(key, { watch, holders: (known?.holders ?? 0) + 1 });
    // One that is there already may be about to be written.
    await (known === undefined ? this.#write() : this.#turns.run(async () => undefined));
    let isHeld = true;
    const end = (): void => {
      const held = this.#watched.get(key);
      if (!isHeld || held === undefined) return;
      isHeld = false;
      held.holders -= 1;
      // Written with the next renewal: until then it is told what nobody takes.
      if (held.holders === 0) this.#watched.delete(key);
    };
    return { key, end };
  }

  /** Concurrent calls each write what is true when their turn comes. */
  #write(): Promise<void> {
    return this.#turns.run(() => {
      const { listen, sweeps } = this.#database.dialect.changeFeed;
      const watches = printWatches(new Map([...this.#watched].map(([key, { watch }]) => [key, watch])));
      return this.#transact([...sweeps.map((sweep) => [sweep, []] as const), [listen, [this.#id, watches, BELIEVED_MS]]]);
    });
  }

  async #transact(statements: readonly (readonly [sql: string, parameters: readonly unknown[]])[]): Promise<void> {
    await this.#database.transact(async (tx) => {
      for (const [sql, parameters] of statements) await tx.execute(sql, parameters);
    });
  }
}

/**
 * The changes of one database, for any number of listeners: one connection and one lease for all, there as long as somebody listens.
 *
 * @example const end = await createChangeFeed({ database, hooks, onError }).follow({ onChange: print, onGap: again });
 */
export function createChangeFeed({ database, hooks, onError }: ChangeFeedParts): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  const turns = createTurns();
  const lease = new Lease(database, onError);
  let feed: OpenChangeFeed | null = null;
  const tell = (call: (listener: ChangeListener) => void): void => {
    for (const listener of listeners) call(listener);
  };
  const onMessage = (message: string): void => {
    const change = parseChange(message);
    if (change !== null) tell(({ onChange }) => onChange(change));
  };
  const open = async (): Promise<void> => {
    if (feed !== null) return;
    const opened = await database.openChangeFeed({ onMessage, onGap: () => tell(({ onGap }) => onGap()), onError });
    try {
      await lease.begin();
    } catch (error) {
      await opened.close();
      throw error;
    }
    feed = opened;
  };
  const shut = async (): Promise<void> => {
    if (feed === null || listeners.size > 0) return;
    const closing = feed;
    feed = null;
    await lease.end().catch(onError);
    await closing.close();
  };
  for (const action of ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'] as const) hooks.after(action, () => feed?.wake());
  return Object.freeze<ChangeFeed>({
    follow: async (listener) => {
      listeners.add(listener);
      try {
        await turns.run(open);
      } catch (error) {
        listeners.delete(listener);
        throw error;
      }
      return async () => {
        if (listeners.delete(listener)) await turns.run(shut);
      };
    },
    watch: (watch) => lease.watch(watch),
    close: async () => {
      listeners.clear();
      await turns.run(shut);
    },
  });
}
