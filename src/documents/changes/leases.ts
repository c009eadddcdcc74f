import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import type { Database, Transaction } from '../../database/database.js';
import { TAG_LISTENER } from '../../database/dialect/dialect.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/units.js';
import type { ContentModel } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { logMarker } from './change-log.js';

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
function printWatches(watches: Iterable<Watch>): string {
  const entries = [...watches].map((watch) => `${JSON.stringify(watchKey(watch))}:${printWatch(watch)}`);
  return `{${entries.join(',')}}`;
}

/** Parses the text of {@link printWatches}. */
function parseWatches(text: string): readonly (readonly [key: string, watch: Watch])[] {
  return Object.entries(JSON.parse(text, restoreTagged) as Readonly<Record<string, Watch>>);
}

/** Returns the watch of all versions of a status. While changes are recorded, every removal evaluates it. */
export function watchOfAll(type: string, status: Watch['status']): Watch {
  return { type, filter: null, locale: '*', status, hasPublishedVersion: null };
}

interface ListenerState {
  /** The watches of all listening processes, by key. */
  readonly watches: ReadonlyMap<string, Watch>;
  /** True if cache tags are recorded. */
  readonly recordsTags: boolean;
}

/** Loads the state of all listening processes. */
export async function loadListeners(
  { dialect }: Pick<Database, 'dialect'>,
  tx: Transaction,
): Promise<ListenerState> {
  const rows = await tx.query(
    `select id, watches from cms_change_listeners where expires_at > ${dialect.changeFeed.nowSql}`,
    [],
  );
  return {
    watches: new Map(rows.flatMap((row) => parseWatches(String(row['watches'])))),
    recordsTags: rows.some((row) => row['id'] === TAG_LISTENER),
  };
}

/** After this time without renewal a process no longer counts as listening. */
const LEASE_MS = 30 * SECOND_MS;
const LEASE_RENEWAL_MS = 10 * SECOND_MS;
/** Changes are kept that long without a record. Longer than a listening process may be blocked. */
const UNRECORDED_MS = MINUTE_MS;
/** Every removal runs one query for each watch. */
const MAX_WATCHES = 200;

/** The id of the row because of which changes are recorded. It outlives the processes that listen. */
const RECORD = 'record';

/** The ids of the rows because of which something is recorded. */
export const RECORD_IDS = [RECORD, TAG_LISTENER] as const;

export type RecordId = (typeof RECORD_IDS)[number];

const RECORD_RENEWAL_MS = 10 * MINUTE_MS;
const SETTLE_MS = 10;

interface WatchEntry {
  readonly watch: Watch;
  referenceCount: number;
  /** Once it resolves, all removals that commit later evaluate the watch. */
  written: Promise<void>;
}

interface LeaseDependencies {
  readonly database: Database;
  readonly model: Pick<ContentModel, 'types'>;
  /** The hours for which recorded changes are kept. */
  readonly hours: number;
  readonly onError: (error: unknown) => void;
}

/** Prints the watches of the record: all versions of the project's types. */
const printRecordWatches = ({ types }: LeaseDependencies['model']): string =>
  printWatches(
    types
      .filter(({ origin }) => origin === 'project')
      .flatMap(({ uid, draftAndPublish }) => [
        watchOfAll(uid, 'published'),
        ...(draftAndPublish ? [watchOfAll(uid, 'draft')] : []),
      ]),
  );

const compileStatements = ({ changeFeed, expressions }: Database['dialect']) => {
  const { nowSql: now } = changeFeed;
  const at = expressions.placeholder;
  const record = `exists (select 1 from cms_change_listeners where id = '${RECORD}' and expires_at > ${now})`;
  return {
    hasListener: `select 1 as found from cms_change_listeners where id = ${at(1)} and expires_at > ${now}`,
    register: `
      insert into cms_change_listeners (id, watches, expires_at)
      values (${at(1)}, ${at(2)}, ${now} + ${at(3)})
      on conflict (id) do update set watches = excluded.watches, expires_at = excluded.expires_at`,
    sweepListeners: `delete from cms_change_listeners where expires_at <= ${now}`,
    // The last row stays, since it is the position of those that have read everything.
    sweepChanges: `
      delete from cms_changes where id < coalesce(
        (select id from cms_changes
          where created_at >= ${now} - (case when ${record} then ${at(1)} else ${UNRECORDED_MS} end)
          order by id limit 1),
        (select max(id) from cms_changes))`,
  };
};

/** Maintains the rows in the database that make writes announce themselves to this process. */
export class Lease {
  readonly #dependencies: LeaseDependencies;
  readonly #statements: ReturnType<typeof compileStatements>;
  readonly #id = randomUUID();
  readonly #mutex = new Mutex();
  readonly #watches = new Map<string, WatchEntry>();
  #timer: NodeJS.Timeout | undefined;
  /** The times at which the records of this process were renewed. */
  readonly #records = new Map<RecordId, number>();

  constructor(dependencies: LeaseDependencies) {
    this.#dependencies = dependencies;
    this.#statements = compileStatements(dependencies.database.dialect);
  }

  /** Once it resolves, all writes that commit later are announced. */
  async start(): Promise<void> {
    await this.#write();
    await this.#settle();
    const { onError } = this.#dependencies;
    this.#timer = setInterval(() => void this.#write().catch(onError), LEASE_RENEWAL_MS).unref();
  }

  /**
   * Keeps changes, or cache tags, from now on. Once it resolves, those of all writes that commit later are
   * recorded.
   */
  async startRecord(id: RecordId): Promise<void> {
    if (this.#records.has(id)) return;
    this.#records.set(id, -Infinity);
    try {
      await this.#write();
      await this.#settle();
    } catch (error) {
      this.#records.delete(id);
      throw error;
    }
  }

  /** Stops prolonging a record, which ends some hours later. */
  endRecord(id: RecordId): void {
    this.#records.delete(id);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#transact((tx) => tx.execute(this.#statements.register, [this.#id, '{}', 0]));
  }

  async watch(watch: Watch): Promise<{ readonly key: string; readonly end: () => void }> {
    const key = watchKey(watch);
    const entry = this.#watches.get(key) ?? this.#addWatch(key, watch);
    entry.referenceCount += 1;
    let isActive = true;
    const end = (): void => {
      if (!isActive) return;
      isActive = false;
      entry.referenceCount -= 1;
      // The next renewal writes this. Until then, changes contain a key that nobody uses.
      if (entry.referenceCount === 0) this.#watches.delete(key);
    };
    try {
      await entry.written;
    } catch (error) {
      end();
      throw error;
    }
    return { key, end };
  }

  #addWatch(key: string, watch: Watch): WatchEntry {
    if (this.#watches.size >= MAX_WATCHES)
      throw createError('subscriptions/too-many-delete-filters', { limit: MAX_WATCHES });
    const entry: WatchEntry = { watch, referenceCount: 0, written: Promise.resolve() };
    this.#watches.set(key, entry);
    entry.written = this.#write().then(() => this.#settle());
    return entry;
  }

  /** Concurrent calls run one after another. Each writes the state at that time. */
  #write(): Promise<void> {
    return this.#transact(async (tx) => {
      const { register, sweepChanges, sweepListeners } = this.#statements;
      const watches = printWatches([...this.#watches.values()].map(({ watch }) => watch));
      await tx.execute(sweepListeners, []);
      await tx.execute(sweepChanges, [this.#dependencies.hours * HOUR_MS]);
      await tx.execute(register, [this.#id, watches, LEASE_MS]);
      for (const [id, renewedAt] of this.#records)
        if (performance.now() - renewedAt > RECORD_RENEWAL_MS) await this.#writeRecord(tx, id);
    });
  }

  async #writeRecord(tx: Transaction, id: RecordId): Promise<void> {
    const { hasListener, register } = this.#statements;
    const { database, model, hours } = this.#dependencies;
    const rows = await tx.query(hasListener, [id]);
    if (rows.length === 0) await logMarker(database, tx, id === RECORD ? 'start' : 'startTags');
    const watches = id === RECORD ? printRecordWatches(model) : '{}';
    await tx.execute(register, [id, watches, hours * HOUR_MS + 2 * RECORD_RENEWAL_MS]);
    tx.afterCommit(async () => {
      if (this.#records.has(id)) this.#records.set(id, performance.now());
    });
  }

  /** Waits for the writes that found no listener and are not committed yet. */
  async #settle(): Promise<void> {
    const { dialect, readTexts } = this.#dependencies.database;
    const { pendingSql } = dialect.changeFeed;
    if (pendingSql === null) return;
    let pending = await readTexts(pendingSql, []);
    while (pending.length > 0) {
      await sleep(SETTLE_MS, undefined, { ref: false });
      const current = new Set(await readTexts(pendingSql, []));
      pending = pending.filter((transaction) => current.has(transaction));
    }
  }

  async #transact(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    await this.#mutex.runExclusive(() =>
      this.#dependencies.database.transact(async (tx) => void (await work(tx))),
    );
  }
}
