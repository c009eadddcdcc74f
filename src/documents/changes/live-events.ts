/**
 * The events of GET /api/events and `cms content watch`: the changes of the log that a caller may see.
 * change-feed.ts wakes the streams; each reads the log from its own position, so that a stream that begins at
 * an earlier event and one at the end do the same.
 */
import { LRUCache } from 'lru-cache';
import { getOrCreate } from '../../lib/collections.js';
import { SECOND_MS } from '../../lib/units.js';
import type { ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import { IDS_ONLY } from '../../query/query.js';
import { accessAtStatus, draftLimits, fromClient, hidesDrafts } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { DocumentService } from '../documents.js';
import type { ChangeFeed } from './change-feed.js';
import { parsePosition, printPosition } from './change-log.js';
import type { ChangeLog, DocumentChange, LoggedChange, Position } from './change-log.js';
import { watchKey, watchOfAll } from './leases.js';
import type { Watch } from './leases.js';
import { createSelectTags, createSiteChecks } from './tag-events.js';
import type { WantedTags } from './tag-events.js';

/** A write of a document, without its content. */
export interface LiveEvent {
  readonly id: string;
  readonly action: DocumentChange['action'];
  readonly type: Uid;
  readonly documentId: string;
  /** Null for types that are not localised, and if all locales were deleted. */
  readonly locale: string | null;
  /** The version that was written or unpublished. Null: the document was deleted in all its versions. */
  readonly status: VersionStatus | null;
  /** ISO text. */
  readonly time: string;
}

/**
 * An event; cache tags that writes made stale; a position from which a later stream continues; or a reset:
 * changes before it may be missing.
 */
export type StreamItem =
  | { readonly kind: 'event'; readonly id: string; readonly event: LiveEvent }
  | { readonly kind: 'tags'; readonly id: string; readonly tags: readonly string[] }
  | { readonly kind: 'position'; readonly id: string }
  | { readonly kind: 'reset'; readonly id: string };

/** Selects events. Null: all. */
export interface EventFilter {
  readonly types: ReadonlySet<Uid> | null;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly status: VersionStatus | null;
  /** The stream consists of these cache tags instead of events. Null: of events. */
  readonly tags: WantedTags | null;
}

interface EventStreamOptions {
  readonly filter: EventFilter;
  /** The id of the last known event. Null: the stream begins now. */
  readonly after: string | null;
  /** Returns the current rights of the caller. */
  readonly access: () => Promise<ReadAccess>;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/** Opens a stream of events, which ends only by its signal or an error. Begins with a position or a reset. */
export type OpenEventStream = (options: EventStreamOptions) => AsyncGenerator<StreamItem, void>;

export interface LiveEventDependencies {
  readonly changes: Pick<ChangeFeed, 'subscribeToRecord' | 'subscribeToTags' | 'watch' | 'log'>;
  readonly model: ContentModel;
  readonly documents: Pick<DocumentService, 'findOne'>;
  /** True if project code wraps reads of the type, and may hide documents from a caller. */
  readonly wrapsReads: (type: Uid) => boolean;
  /** Announces the cache tag of all responses if it is due. Default: other processes do. */
  readonly announceSiteChanges?: () => Promise<void>;
}

const STATUSES: readonly VersionStatus[] = ['published', 'draft'];

/** Returns the versions that a change affects. Publishing leaves the draft as it is. */
const affectedStatuses = (
  { action, status }: DocumentChange,
  { draftAndPublish }: ContentType,
): readonly VersionStatus[] => {
  if (!draftAndPublish) return ['published'];
  if (action === 'delete') return STATUSES;
  if (action === 'publish' || action === 'unpublish') return ['published'];
  return action !== 'discardDraft' && status === 'published' ? STATUSES : ['draft'];
};

const isRemoval = ({ action }: DocumentChange): boolean => action === 'delete' || action === 'unpublish';

/** True if the filter selects a change, regardless of the caller's rights. */
const isSelected = (change: DocumentChange, { types, documentId, locale }: EventFilter): boolean =>
  (types === null || types.has(change.type)) &&
  (documentId === null || documentId === change.documentId) &&
  (locale === null || change.locale === null || locale === change.locale);

/** Returns the query for the versions of a type that the caller may find. Null: it may find none. */
const findableVersions = (access: ReadAccess, type: ContentType, status: VersionStatus): Watch | null => {
  if (status === 'draft' && hidesDrafts(access, type)) return null;
  const limited = accessAtStatus(access, status);
  const filter = limited.scopeOf?.(type.uid, 'find')?.filter ?? null;
  const all = watchOfAll(type.uid, status);
  return filter === null ? all : { ...all, filter, ...draftLimits(limited) };
};

const keyOfAll = (type: Uid, status: VersionStatus): string => watchKey(watchOfAll(type, status));

const MAX_CHECKS = 1000;
const CHECK_MS = SECOND_MS;

type IsFindable = (
  row: Position,
  change: DocumentChange,
  query: Watch,
  access: ReadAccess,
) => Promise<boolean>;

/** Creates the check of a written version, which callers with the same rights share for a moment. */
const createIsFindable = ({ documents, wrapsReads }: LiveEventDependencies): IsFindable => {
  const checks = new LRUCache<string, Promise<boolean>>({ max: MAX_CHECKS, ttl: CHECK_MS });
  const read = async (change: DocumentChange, watch: Watch, access: ReadAccess): Promise<boolean> => {
    const query = {
      ...watch,
      locale: change.locale ?? watch.locale,
      sort: [],
      selection: IDS_ONLY,
      page: null,
    };
    return (
      (await documents.findOne(fromClient(query, { access, action: 'find' }), change.documentId)) !== null
    );
  };
  return async ({ id }, change, query, access) => {
    if (wrapsReads(query.type)) return read(change, query, access);
    if (query.filter === null) return true;
    return getOrCreate(checks, `${id} ${watchKey(query)}`, () => read(change, query, access));
  };
};

/** Knows from which position on removals name the watches of one caller. */
class RemovalWatches {
  readonly #changes: LiveEventDependencies['changes'];
  readonly #known = new Map<string, { readonly since: number; readonly end: () => void }>();

  constructor(changes: LiveEventDependencies['changes']) {
    this.#changes = changes;
  }

  async add(query: Watch): Promise<void> {
    const key = watchKey(query);
    if (query.filter === null || this.#known.has(key)) return;
    try {
      const { end } = await this.#changes.watch(query);
      this.#known.set(key, { since: (await this.#changes.log.latest()).id, end });
    } catch {
      // There are too many watches. Each removal is a reset then.
      this.#known.set(key, { since: Infinity, end: () => undefined });
    }
  }

  /** True or false if the removed version was, or was not, one of the query. Null: nobody looked. */
  async covers({ id }: Position, change: DocumentChange, query: Watch): Promise<boolean | null> {
    const key = watchKey(query);
    if (change.watches.includes(key)) return true;
    const { since } = this.#known.get(key) ?? { since: Infinity };
    await this.add(query);
    // Only versions that exist are removed.
    if (query.filter === null || !change.watches.includes(keyOfAll(query.type, query.status))) return false;
    return id > since ? false : null;
  }

  end(): void {
    for (const { end } of this.#known.values()) end();
  }
}

/** Shares the reads of streams at the same position. */
const createSharedReads = (log: ChangeLog): ChangeLog['readAfter'] => {
  const running = new Map<string, ReturnType<ChangeLog['readAfter']>>();
  return (position) => {
    const key = printPosition(position);
    return getOrCreate(running, key, () => log.readAfter(position).finally(() => running.delete(key)));
  };
};

/** Lets a stream wait until there is something to read. */
const createAlarm = (signal: AbortSignal) => {
  let isSet = false;
  let ring = (): void => undefined;
  const set = (): void => {
    isSet = true;
    ring();
  };
  signal.addEventListener('abort', set, { once: true });
  return {
    set,
    wait: async (): Promise<void> => {
      if (!isSet) await new Promise<void>((resolve) => (ring = resolve));
      isSet = false;
    },
  };
};

/** Rights are read again after this time while many events are sent. */
const RIGHTS_MS = 500;

const createRights = (read: () => Promise<ReadAccess>): (() => Promise<ReadAccess>) => {
  let last: { readonly access: ReadAccess; readonly at: number } | null = null;
  return async () => {
    if (last === null || performance.now() - last.at > RIGHTS_MS)
      last = { access: await read(), at: performance.now() };
    return last.access;
  };
};

const queriesOf = (
  type: ContentType,
  access: ReadAccess,
  statuses: readonly VersionStatus[],
): readonly Watch[] =>
  access.canFind(type.uid) ? statuses.flatMap((status) => findableVersions(access, type, status) ?? []) : [];

/** The items of one stream are found with its filter, its rights and its watches. */
interface StreamContext {
  readonly filter: EventFilter;
  readonly access: () => Promise<ReadAccess>;
  readonly watches: RemovalWatches;
}

type ItemOf = (row: LoggedChange, context: StreamContext) => Promise<StreamItem | null>;

/** Creates the function that returns the item for a row of a stream of tags. Null: there is none. */
const createTagItemOf = ({ model, wrapsReads }: LiveEventDependencies): ItemOf => {
  const selectTags = createSelectTags(model, wrapsReads);
  return async ({ position, message }, { filter: { tags: wanted, types }, access }) => {
    const id = printPosition(position);
    if (typeof message === 'string') return { kind: 'reset', id };
    if (message.action !== 'tags' || wanted === null) return null;
    const tags = selectTags(message.tags, { tags: wanted, types }, await access());
    if (tags === null) return { kind: 'reset', id };
    return tags.length === 0 ? null : { kind: 'tags', id, tags };
  };
};

/** Creates the function that returns the item for a row; null: the caller does not receive it. */
const createItemOf = (dependencies: LiveEventDependencies): ItemOf => {
  const { model } = dependencies;
  const isFindable = createIsFindable(dependencies);
  return async ({ position, message }, { filter, access, watches }) => {
    const id = printPosition(position);
    if (message === 'start' || message === 'reset') return { kind: 'reset', id };
    if (message === 'startTags' || message.action === 'tags') return null;
    const type = model.typesByUid[message.type];
    // A newer release has written a type that this process does not know.
    if (type === undefined) return filter.types === null ? { kind: 'reset', id } : null;
    if (!isSelected(message, filter)) return null;
    const statuses = affectedStatuses(message, type).filter(
      (status) => !type.draftAndPublish || filter.status === null || filter.status === status,
    );
    let isUnknown = false;
    const rights = await access();
    for (const query of queriesOf(type, rights, statuses)) {
      const isVisible = isRemoval(message)
        ? await watches.covers(position, message, query)
        : await isFindable(position, message, query, rights);
      if (isVisible === null) isUnknown = true;
      else if (isVisible) {
        const { action, documentId, locale } = message;
        const status = action === 'delete' ? null : query.status;
        const time = new Date(position.at).toISOString();
        return { kind: 'event', id, event: { id, action, type: type.uid, documentId, locale, status, time } };
      }
    }
    return isUnknown ? { kind: 'reset', id } : null;
  };
};

/** Creates the function that opens streams of events. */
export function createLiveEvents(dependencies: LiveEventDependencies): OpenEventStream {
  const { changes, model } = dependencies;
  const eventOf = createItemOf(dependencies);
  const tagItemOf = createTagItemOf(dependencies);
  const siteChecks = createSiteChecks(dependencies.announceSiteChanges ?? (async () => undefined));
  const readAfter = createSharedReads(changes.log);
  const announcedTypes = model.types.filter(({ origin }) => origin === 'project');

  const watchRemovals = async (
    watches: RemovalWatches,
    { types, tags }: EventFilter,
    access: ReadAccess,
  ): Promise<void> => {
    if (tags !== null) return;
    for (const type of announcedTypes.filter(({ uid }) => types === null || types.has(uid)))
      for (const query of queriesOf(type, access, type.draftAndPublish ? STATUSES : ['published']))
        await watches.add(query);
  };

  return async function* openStream({ filter, after, access: readAccess, signal }) {
    const alarm = createAlarm(signal);
    const watches = new RemovalWatches(changes);
    const hasTags = filter.tags !== null;
    const itemOf = hasTags ? tagItemOf : eventOf;
    const listener = { onChange: alarm.set, onTags: alarm.set, onGap: alarm.set };
    const unsubscribe = await (hasTags ? changes.subscribeToTags : changes.subscribeToRecord)(listener);
    let endChecks = (): void => undefined;
    try {
      if (hasTags) endChecks = await siteChecks.start();
      await watchRemovals(watches, filter, await readAccess());
      const known = after === null ? null : parsePosition(after);
      let position = known ?? (await changes.log.latest());
      let opening: 'position' | 'reset' | null = after === null || known !== null ? 'position' : 'reset';
      while (!signal.aborted) {
        const rows = await readAfter(position);
        if (rows === null) {
          position = await changes.log.latest();
          opening = 'reset';
          continue;
        }
        if (opening !== null) yield { kind: opening, id: printPosition(position) };
        opening = null;
        const context = { filter, watches, access: createRights(readAccess) };
        let hasItem = false;
        for (const row of rows) {
          if (signal.aborted) return;
          const found = await itemOf(row, context);
          position = row.position;
          if (found !== null) yield found;
          hasItem = found !== null;
        }
        if (rows.length === 0) await alarm.wait();
        else if (!hasItem) yield { kind: 'position', id: printPosition(position) };
      }
    } finally {
      endChecks();
      watches.end();
      await unsubscribe();
    }
  };
}
