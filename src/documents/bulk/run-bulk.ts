import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Transaction } from '../../database/database.js';
import { isDatabaseError } from '../../database/database-error.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { toPublicError } from '../../errors/to-public-error.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem, BulkOutcome, BulkParams, DocumentService } from '../documents.js';
import type { NestedTransaction } from '../../database/nested-transaction.js';
import { saveImportProgress } from '../import-progress.js';
import { transactWrite } from '../transact-write.js';
import type { PreparedWrite } from '../write/document-write.js';
import { inTurns } from '../write/document-write.js';
import { writeDocuments } from '../write/write-documents.js';
import { createBulkError } from './bulk-error.js';
import { planBatches } from './plan-batches.js';
import type { Batch } from './plan-batches.js';
import { readWritten } from './read-written.js';
import type { PendingOutcome } from './read-written.js';

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

/** Errors that concern more than one item, after which the transaction may have to run again. */
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

/** Writes prepared items in a savepoint, which reverts what was written of them if one fails. */
const writePrepared = async (
  { context, nested }: BulkTransaction,
  items: readonly BulkItem[],
  writes: readonly PreparedWrite[],
): Promise<readonly PendingOutcome[]> => {
  const documentIds = await nested.run((tx) => writeDocuments(context, tx, writes));
  return items.map((item, index) => outcomeOf(item, documentIds[index] ?? null));
};

/** Writes the items of a batch together, or one by one where that fails, which finds the error of each. */
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

/**
 * Runs many writes in one transaction. Their effect is that of the same operations one after the other.
 *
 * @returns the outcome of each item, in the same order
 * @throws `request/invalid-bulk` if it is atomic and an item cannot be written
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
