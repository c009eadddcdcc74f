import type { Database, Transaction } from '../../database/database.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ContentModel, VersionStatus } from '../../model/model.js';
import { createReadCompiler } from '../../query/compile/read-compiler.js';
import { WRITE_ACTIONS } from '../hooks.js';
import type { DocumentEvent, DocumentHooks, WriteAction } from '../hooks.js';
import { narrowToDocument } from '../../query/parse/server-queries.js';
import { createRecordReader } from '../read/record-reader.js';
import type { RecordReader } from '../read/record-reader.js';
import { createObserveTags } from '../tags/announce-tags.js';
import type { TagListener } from '../tags/announce-tags.js';
import { logChanges, logMarker } from './change-log.js';
import type { DocumentChange } from './change-log.js';
import { loadListeners } from './leases.js';
import type { Watch } from './leases.js';

/** True if cache tags are recorded, as far as this process knows. Null: it has not looked yet. */
export interface TagDemand {
  readonly current: () => boolean | null;
  readonly set: (areRecorded: boolean) => void;
}

/** Creates the demand of a process that has not looked yet. */
export function createTagDemand(): TagDemand {
  let areTagsRecorded: boolean | null = null;
  return {
    current: () => areTagsRecorded,
    set: (areRecorded) => {
      areTagsRecorded = areRecorded;
    },
  };
}

interface TagOptions {
  /** Returns the codes of all locales. */
  readonly locales: () => readonly string[];
  /** Those that receive tags without the log. */
  readonly listeners: readonly TagListener[];
  readonly demand: TagDemand;
}

export interface AnnounceChangesDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: DocumentHooks;
  readonly tags: TagOptions;
}

/** The statuses of the versions that an action removes. */
const REMOVED_STATUSES: Readonly<Partial<Record<WriteAction, readonly VersionStatus[]>>> = {
  delete: ['draft', 'published'],
  unpublish: ['published'],
};

/** Returns the watch restricted to the removed versions. Null if it cannot match them. */
const narrowWatch = (watch: Watch, event: DocumentEvent, model: ContentModel): Watch | null => {
  const type = model.typesByUid[event.type];
  if (watch.type !== event.type || type === undefined) return null;
  if (type.draftAndPublish && REMOVED_STATUSES[event.action]?.includes(watch.status) !== true) return null;
  if (event.locale === null || watch.locale === event.locale) return watch;
  return watch.locale === '*' ? { ...watch, locale: event.locale } : null;
};

const matchesWatch = async (
  records: RecordReader,
  tx: Transaction,
  watch: Watch,
  documentId: string,
): Promise<boolean> => {
  try {
    return (await records.documentIdsIn(tx, narrowToDocument(watch, documentId))).length > 0;
  } catch (error) {
    // The watch comes from a server with another content model, and is not valid in this one.
    if (isGalleyError(error) || error instanceof TypeError) return false;
    throw error;
  }
};

/**
 * Returns the keys of the watches that match a document. Called in the transaction that removes it, before
 * the removal, since nothing matches afterwards.
 */
const matchingWatches = async (
  { model }: AnnounceChangesDependencies,
  records: RecordReader,
  event: DocumentEvent,
  tx: Transaction,
  watches: ReadonlyMap<string, Watch>,
): Promise<readonly string[]> => {
  const matching: string[] = [];
  for (const [key, watch] of watches) {
    const narrowedWatch = narrowWatch(watch, event, model);
    if (narrowedWatch !== null && (await matchesWatch(records, tx, narrowedWatch, event.documentId)))
      matching.push(key);
  }
  return matching;
};

/**
 * Announces in a transaction that documents have changed without the steps of writes, to all listening
 * processes.
 */
export async function announceReset(
  database: Pick<Database, 'dialect'>,
  tx: Pick<Transaction, 'execute'>,
): Promise<void> {
  await logMarker(database, tx, 'reset');
}

/**
 * Announces every write of the project's content, and the cache tags of every write, right before the commit
 * of its transaction. If no process listens, this costs one statement.
 *
 * Tags are exact if this process knows that they are recorded, for which its first write looks. Otherwise the
 * statement announces those of the type if they are, so that none are missed, and the next write knows.
 */
export function announceChanges(dependencies: AnnounceChangesDependencies): void {
  const { database, model, hooks } = dependencies;
  const { demand, locales, listeners } = dependencies.tags;
  const types = new Set(model.types.filter(({ origin }) => origin === 'project').map(({ uid }) => uid));
  const records = createRecordReader(database, createReadCompiler(model, database.dialect.expressions));
  const observeTags = createObserveTags({ database, model, locales, listeners });
  const announce = async (
    tx: Transaction,
    changes: readonly DocumentChange[],
    tags: readonly string[],
  ): Promise<void> => {
    if (changes.length + tags.length === 0) return;
    const areRecorded = await logChanges(database, tx, changes, tags);
    if (tags.length > 0) demand.set(areRecorded);
  };
  const changesOf = (events: readonly DocumentEvent[]): readonly (DocumentEvent & DocumentChange)[] =>
    events.filter(({ type }) => types.has(type)).map((event) => ({ ...event, watches: [] }));
  const areTagsExpected = async (tx: Transaction): Promise<boolean> => {
    const known = demand.current();
    if (known !== null) return known;
    const { recordsTags } = await loadListeners(database, tx);
    demand.set(recordsTags);
    return recordsTags;
  };
  const announceWritten = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    const announceTags = await observeTags(events, tx, areTagsExpected);
    const changes = changesOf(events);
    tx.beforeCommit(async () => announce(tx, changes, (await announceTags?.()) ?? []));
  };
  const announceRemoved = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    const { watches, recordsTags } = await loadListeners(database, tx);
    demand.set(recordsTags);
    const announceTags = await observeTags(events, tx, async () => recordsTags);
    const changes: DocumentChange[] = [];
    if (watches.size > 0)
      for (const event of changesOf(events))
        changes.push({ ...event, watches: await matchingWatches(dependencies, records, event, tx, watches) });
    const matched = changes.filter((change) => change.watches.length > 0);
    tx.beforeCommit(async () => {
      const tags = (await announceTags?.()) ?? [];
      await announce(tx, matched, recordsTags ? tags : []);
    });
  };
  for (const action of WRITE_ACTIONS)
    hooks.observe(action, Object.hasOwn(REMOVED_STATUSES, action) ? announceRemoved : announceWritten);
}
