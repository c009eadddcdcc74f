import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDatabaseError } from '../../database/database-error.js';
import type { Transaction } from '../../database/database.js';
import type { NestedTransaction } from '../../database/nested-transaction.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { toPublicError } from '../../errors/project-errors.js';
import { chunksOf, getOrCreate, groupBy } from '../../lib/collections.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import { transactWrite } from '../document-context.js';
import type { DocumentContext } from '../document-context.js';
import { saveImportProgress } from '../documents.js';
import type { BulkItem, BulkOutcome, BulkParams, DocumentService, RecordText } from '../documents.js';
import { requiredAction } from './parse-bulk-items.js';
import { prepareWrite } from './prepare-write.js';
import { inTurns } from './write-context.js';
import type { PreparedWrite } from './write-context.js';
import { loadWrittenVersions, returnedStatus, writeDocuments } from './write-documents.js';
import type { ReturningItem } from './write-documents.js';

/** A written document whose record is not read yet. */
interface WrittenDocument {
  readonly documentId: string;
  readonly item: ReturningItem;
}

type PendingOutcome = BulkOutcome | WrittenDocument;

/** Larger batches save little more, and each of their steps blocks the event loop longer. */
const BATCH_SIZE = 100;

/** Successive items of a bulk. */
interface Batch {
  readonly items: readonly BulkItem[];
  /** The writes of all items, if they form a batch; empty if each item is a separate operation. */
  readonly writes: readonly PreparedWrite[];
}

/** An item, and its write if it can be part of a batch. */
interface PlannedItem {
  readonly item: BulkItem;
  readonly write: PreparedWrite | null;
}

/**
 * True if no step of the write depends on the order of the items: no project code, no condition on documents,
 * and no rules of built-in types.
 */
const isBatchable = ({ hooks, model }: DocumentContext, { action, params }: BulkItem): boolean => {
  const type = typeOf(model, params.type);
  return (
    type.origin === 'project' &&
    type.kind !== 'singleType' &&
    !hooks.isHooked(action, params.type) &&
    (params.access?.scopeOf?.(params.type, requiredAction(action))?.filter ?? null) === null
  );
};

/** True if the sent links change other documents only by appending to their lists. */
const hasBatchableLinks = (context: DocumentContext, { type, input }: PreparedWrite): boolean =>
  context
    .relationsOf(type)
    .every(
      ({ attribute, link }) =>
        input.data[attribute.name] === undefined || (attribute.side === 'owner' && !link.exclusive),
    );

/** Plans one item. An invalid item becomes a separate operation, which finds its error. */
const planItem = async (context: DocumentContext, item: BulkItem): Promise<PlannedItem> => {
  if (!isBatchable(context, item)) return { item, write: null };
  const write = await prepareWrite(context, item).catch(() => null);
  const isEligible = write !== null && write.onSaved === undefined && isStorableText(write.documentId ?? '');
  return { item, write: isEligible && hasBatchableLinks(context, write) ? write : null };
};

const fits = (batch: readonly PlannedItem[], next: PlannedItem): boolean => {
  const first = batch[0]?.write;
  if (first === undefined) return false;
  if (first === null || next.write === null) return first === next.write;
  const { action, type, locale, status, documentId } = next.write;
  return (
    batch.length < BATCH_SIZE &&
    first.action === action &&
    first.type === type &&
    first.locale === locale &&
    first.status === status &&
    (documentId === undefined || batch.every(({ write }) => write?.documentId !== documentId))
  );
};

/** Takes documents that change more than once out of batches, whose records are read at the end. */
const withoutRepeated = (items: readonly PlannedItem[]): readonly PlannedItem[] => {
  const counts = new Map<string, number>();
  const idOf = ({ item: { action, params } }: PlannedItem): string =>
    action === 'create' ? '' : params.documentId;
  for (const item of items) counts.set(idOf(item), (counts.get(idOf(item)) ?? 0) + 1);
  return items.map((planned) => {
    const { action } = planned.item;
    const isRead = action !== 'create' && action !== 'delete';
    return isRead && counts.get(idOf(planned)) !== 1 ? { ...planned, write: null } : planned;
  });
};

/** Groups the items in order. Consecutive items that cannot be batched form a group, too. */
async function planBatches(context: DocumentContext, items: readonly BulkItem[]): Promise<readonly Batch[]> {
  const planned = withoutRepeated(await inTurns(items, (item) => planItem(context, item)));
  const groups: PlannedItem[][] = [];
  for (const item of planned) {
    const last = groups.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => ({
    items: group.map(({ item }) => item),
    writes: group.flatMap(({ write }) => write ?? []),
  }));
}

/** Maximum number of issues in one response. */
const ISSUE_LIMIT = 1000;

/** Maximum number of present versions in one response. */
const CHANGED_LIMIT = 100;

/** Returns the issues of an item, with paths that begin with its position. */
const issuesOf = (error: GalleyError, index: number): readonly ValidationIssue[] => {
  const { errors } = error.details;
  const key = error.kind === 'precondition-failed' ? ['ifMatch'] : [];
  if (errors === undefined)
    return [{ path: [String(index), ...key], message: error.message, name: 'ValidationError' }];
  return errors.map(({ path, message }) => ({
    path: [String(index), 'data', ...path],
    message,
    name: 'ValidationError',
  }));
};

/** Returns the error of an atomic bulk; null if every item could be written. */
function createBulkError(outcomes: readonly object[]): GalleyError | null {
  const failed = outcomes.flatMap((outcome, index) =>
    'error' in outcome ? [{ error: outcome.error as GalleyError, index }] : [],
  );
  const [first] = failed;
  if (first === undefined) return null;
  const errors = failed.flatMap(({ error, index }) => issuesOf(error, index)).slice(0, ISSUE_LIMIT);
  const isChanged = failed.every(({ error }) => error.kind === 'precondition-failed');
  const changed = failed.slice(0, CHANGED_LIMIT).map(({ error, index }) => ({ index, ...error.details }));
  return createError(
    isChanged ? 'request/changed-items' : 'request/invalid-bulk',
    { failed: failed.length, total: outcomes.length, index: first.index, reason: first.error.message },
    { details: isChanged ? { errors, changed } : { errors } },
  );
}

/** The document service inside the transaction of a bulk. */
interface NestedDocuments {
  readonly nested: NestedTransaction;
  readonly documents: DocumentService;
}

export type OpenNestedDocuments = (tx: Transaction) => NestedDocuments;

interface BulkTransaction extends NestedDocuments {
  readonly context: DocumentContext;
  readonly tx: Transaction;
}

/** True for errors that concern the whole transaction, which may have to run again. */
const endsBulk = (error: unknown): boolean =>
  isDatabaseError(error) ||
  (isGalleyError(error) ? error.kind === 'unavailable' || error.kind === 'internal' : false);

const toItemError = (error: unknown): GalleyError => {
  const itemError = isGalleyError(error) ? error : toPublicError(error);
  if (endsBulk(error) || itemError === null) throw error;
  return itemError;
};

const recordOf = (documentId: string, written: { readonly record: string } | null): PendingOutcome => {
  if (written === null) throw createError('request/not-found');
  return { documentId, record: written.record };
};

const runOperation = async (documents: DocumentService, item: BulkItem): Promise<PendingOutcome> => {
  if (item.action === 'create') return documents.create(item.params);
  const { documentId } = item.params;
  if (item.action === 'delete') {
    await documents.delete(item.params);
    return { documentId, record: null };
  }
  const written =
    item.action === 'update'
      ? await documents.update(item.params)
      : await documents[item.action](item.params);
  return recordOf(documentId, written);
};

const runSingle = async (
  { context, documents, tx }: BulkTransaction,
  item: BulkItem,
): Promise<PendingOutcome> => {
  const run = (): Promise<PendingOutcome> => runOperation(documents, item);
  try {
    return context.hooks.hasMiddleware(item.params.type) ? await tx.runProjectCode(run) : await run();
  } catch (error) {
    return { error: toItemError(error) };
  }
};

/** Returns the outcome of an item of a batch. */
const outcomeOf = (item: BulkItem, documentId: string | null): PendingOutcome => {
  if (item.action === 'delete') return { documentId: item.params.documentId, record: null };
  return documentId === null ? { error: createError('request/not-found') } : { documentId, item };
};

/** Writes prepared items in a savepoint, which is rolled back if one fails. */
const writePrepared = async (
  { context, nested }: BulkTransaction,
  items: readonly BulkItem[],
  writes: readonly PreparedWrite[],
): Promise<readonly PendingOutcome[]> => {
  const documentIds = await nested.run((tx) => writeDocuments(context, tx, writes));
  return items.map((item, index) => outcomeOf(item, documentIds[index] ?? null));
};

/** Writes the items of a batch in one step. If this fails, writes each alone to find its error. */
const runBatch = async (
  transaction: BulkTransaction,
  { items, writes }: Batch,
): Promise<readonly PendingOutcome[]> => {
  if (writes.length === 0) return inTurns(items, (item) => runSingle(transaction, item));
  try {
    return await writePrepared(transaction, items, writes);
  } catch (error) {
    if (writes.length === 1) return [{ error: toItemError(error) }];
    if (endsBulk(error)) throw error;
  }
  const outcomes = await inTurns([...items.entries()], ([index, item]) =>
    runBatch(transaction, { items: [item], writes: writes.slice(index, index + 1) }),
  );
  return outcomes.flat();
};

/** Number of documents per read. It is small, so that a statement does not block the event loop for long. */
const CHUNK_SIZE = 25;

/** Groups documents that one query can return: of one type, with the same selection. */
const groupByForm = (written: readonly WrittenDocument[]): Iterable<readonly WrittenDocument[]> => {
  const selections = new Map<unknown, number>();
  return groupBy(written, ({ item }) => {
    const { type, locale, selection } = item.params;
    const form = getOrCreate(selections, selection, () => selections.size);
    return [type, locale, returnedStatus(item), form].join('\n');
  }).values();
};

const readGroup = async (
  context: DocumentContext,
  group: readonly WrittenDocument[],
  records: Map<string, RecordText>,
): Promise<void> => {
  for (const chunk of chunksOf(group, CHUNK_SIZE)) {
    const [first] = chunk;
    if (first === undefined) continue;
    const { params } = first.item;
    const found = await loadWrittenVersions(context, typeOf(context.model, params.type), {
      locale: params.locale,
      status: returnedStatus(first.item),
      selection: params.selection,
      access: params.access,
      documentIds: chunk.map(({ documentId }) => documentId),
    });
    for (const [documentId, record] of found) records.set(documentId, record);
    await yieldToEventLoop();
  }
};

/** Reads the documents that were written in batches. */
async function readWritten(
  context: DocumentContext,
  outcomes: readonly PendingOutcome[],
): Promise<readonly BulkOutcome[]> {
  const records = new Map<string, RecordText>();
  const written = outcomes.flatMap((outcome) => ('item' in outcome ? [outcome] : []));
  for (const group of groupByForm(written)) await readGroup(context, group, records);
  return outcomes.map((outcome) => {
    if (!('item' in outcome)) return outcome;
    const record = records.get(outcome.documentId);
    // A later item, or another write, has deleted it.
    return record === undefined
      ? { error: createError('request/not-found') }
      : { documentId: outcome.documentId, record };
  });
}

/**
 * Runs many writes in one transaction. The effect is that of the same operations one after another.
 *
 * @returns the outcome of each item, in the same order
 * @throws `request/invalid-bulk` if it is atomic and an item cannot be written, `request/changed-items` if
 *   only preconditions have failed
 */
export async function runBulk(
  context: DocumentContext,
  openNested: OpenNestedDocuments,
  { items, atomic, progress }: BulkParams,
): Promise<readonly BulkOutcome[]> {
  const batches = await planBatches(context, items);
  const outcomes = await transactWrite(context, async (tx) => {
    const transaction: BulkTransaction = { context, tx, ...openNested(tx) };
    const found: PendingOutcome[] = [];
    for (const batch of batches) {
      found.push(...(await runBatch(transaction, batch)));
      await yieldToEventLoop();
    }
    const error = atomic ? createBulkError(found) : null;
    if (error !== null) throw error;
    if (progress !== undefined) await saveImportProgress(tx, progress);
    return found;
  });
  return readWritten(context, outcomes);
}
