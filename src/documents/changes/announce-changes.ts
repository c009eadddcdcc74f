import type { Database, Transaction } from '../../database/database.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ContentModel, VersionStatus } from '../../model/model.js';
import { createReadCompiler } from '../../sql/read-compiler.js';
import type { DocumentEvent, DocumentHooks, WriteAction } from '../hooks.js';
import { createRecordReader } from '../record-reader.js';
import type { RecordReader } from '../record-reader.js';
import { printChange } from './document-change.js';
import { parseWatches } from './watch.js';
import type { Watch } from './watch.js';

export interface AnnounceParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: DocumentHooks;
}

const WRITES: readonly WriteAction[] = ['create', 'update', 'publish', 'discardDraft'];

/** What is there before and no longer afterwards. */
const REMOVALS: Readonly<Partial<Record<WriteAction, readonly VersionStatus[]>>> = { delete: ['draft', 'published'], unpublish: ['published'] };

/** So many keys fit in a message; further watches hear nothing. */
const MOST_WATCHES = 300;

/** The watch as it concerns this removal; null where it does not. */
const concerned = (watch: Watch, event: DocumentEvent, model: ContentModel): Watch | null => {
  const type = model.typesByUid[event.type];
  if (watch.type !== event.type || type === undefined) return null;
  if (type.draftAndPublish && REMOVALS[event.action]?.includes(watch.status) !== true) return null;
  if (event.locale === null || watch.locale === event.locale) return watch;
  return watch.locale === '*' ? { ...watch, locale: event.locale } : null;
};

const fulfils = async (records: RecordReader, tx: Transaction, watch: Watch, documentId: string): Promise<boolean> => {
  const here = { kind: 'compare', field: 'documentId', operator: '$eq', operand: documentId } as const;
  const filter = watch.filter === null ? here : { kind: 'and' as const, items: [here, watch.filter] };
  try {
    return (await records.documentIdsIn(tx, { ...watch, filter })).length > 0;
  } catch (error) {
    // A server with another content model listens, too; what it watches means nothing here.
    if (isGalleyError(error) || error instanceof TypeError) return false;
    throw error;
  }
};

/** Asked while the document is still there, in the transaction that removes it: afterwards nobody could tell who might have seen it. */
const fulfilledWatches = async ({ database, model }: AnnounceParts, records: RecordReader, event: DocumentEvent, tx: Transaction): Promise<readonly string[]> => {
  const rows = await tx.query(database.dialect.changeFeed.listeners, []);
  const watches = new Map(rows.flatMap((row) => parseWatches(String(row['watches']))));
  const fulfilled: string[] = [];
  for (const [key, watch] of watches) {
    const asked = concerned(watch, event, model);
    if (asked !== null && fulfilled.length < MOST_WATCHES && (await fulfils(records, tx, asked, event.documentId))) fulfilled.push(key);
  }
  return fulfilled;
};

/**
 * Has every write of the project's content announce itself, in its own transaction, to whichever process listens. Where none does, that is one
 * statement that finds so.
 */
export function announceChanges(parts: AnnounceParts): void {
  const { database, model, hooks } = parts;
  const types = model.types.filter(({ origin }) => origin === 'project').map(({ uid }) => uid);
  const records = createRecordReader(database, createReadCompiler(model, database.dialect));
  const announce = async ({ action, type, documentId, locale, status }: DocumentEvent, tx: Transaction, watches: readonly string[]): Promise<void> => {
    await tx.execute(database.dialect.changeFeed.announce, [printChange({ action, type, documentId, locale, status, watches })]);
  };
  for (const action of WRITES) hooks.before(action, (event, tx) => announce(event, tx, []), types);
  for (const action of Object.keys(REMOVALS) as WriteAction[]) {
    hooks.before(action, async (event, tx) => {
      const watches = await fulfilledWatches(parts, records, event, tx);
      if (watches.length > 0) await announce(event, tx, watches);
    }, types);
  }
}
