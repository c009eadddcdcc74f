import type { Database, Transaction } from '../../database/database.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ContentModel, VersionStatus } from '../../model/model.js';
import { createReadCompiler } from '../../query/compile/read-compiler.js';
import { WRITE_ACTIONS } from '../hooks.js';
import type { DocumentEvent, DocumentHooks, WriteAction } from '../hooks.js';
import { narrowToDocument } from '../../query/parse/server-queries.js';
import { createRecordReader } from '../read/record-reader.js';
import type { RecordReader } from '../read/record-reader.js';
import { RESET, printChange } from './change-log.js';
import type { DocumentChange } from './change-log.js';
import { loadWatches } from './leases.js';
import type { Watch } from './leases.js';

export interface AnnounceChangesDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: DocumentHooks;
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

/** Announces in a transaction that documents have changed without the steps of writes. */
export async function announceReset(
  { dialect }: Pick<Database, 'dialect'>,
  tx: Pick<Transaction, 'execute'>,
): Promise<void> {
  await tx.execute(dialect.changeFeed.announceSql, [JSON.stringify([RESET])]);
}

/**
 * Announces every write of the project's content to all listening processes, right before the commit of its
 * transaction. If no process listens, this costs one statement.
 */
export function announceChanges(dependencies: AnnounceChangesDependencies): void {
  const { database, model, hooks } = dependencies;
  const types = model.types.filter(({ origin }) => origin === 'project').map(({ uid }) => uid);
  const records = createRecordReader(database, createReadCompiler(model, database.dialect.expressions));
  const announce = (changes: readonly DocumentChange[], tx: Transaction): void => {
    if (changes.length === 0) return;
    const messages = JSON.stringify(changes.map(printChange));
    tx.beforeCommit(async () => void (await tx.execute(database.dialect.changeFeed.announceSql, [messages])));
  };
  const announceWritten = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> =>
    announce(
      events.map((event) => ({ watches: [], ...event })),
      tx,
    );
  const announceRemoved = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    const watches = await loadWatches(database, tx);
    if (watches.size === 0) return;
    const changes: DocumentChange[] = [];
    for (const event of events)
      changes.push({ ...event, watches: await matchingWatches(dependencies, records, event, tx, watches) });
    announce(
      changes.filter((change) => change.watches.length > 0),
      tx,
    );
  };
  for (const action of WRITE_ACTIONS)
    hooks.observe(action, Object.hasOwn(REMOVED_STATUSES, action) ? announceRemoved : announceWritten, types);
}
