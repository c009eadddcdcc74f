import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Transaction } from '../../database/database.js';
import { isDatabaseError } from '../../database/database-error.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { toPublicError } from '../../errors/to-public-error.js';
import { defined } from '../../lib/defined.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem, BulkOutcome, BulkParams, DocumentService } from '../documents.js';
import type { NestedTransaction } from '../../database/nested-transaction.js';
import { saveImportProgress } from '../import-progress.js';
import { transactWrite } from '../transact-write.js';
import { classifyItem } from './classify-items.js';
import type { ClassifiedItem } from './classify-items.js';
import { writeChangeWave } from './change-wave.js';
import { writeCreateWave } from './create-wave.js';
import { writeDeleteWave } from './delete-wave.js';
import { createBulkError } from './bulk-error.js';
import { planWaves } from './plan-waves.js';
import type { PlannedWave, Wave } from './plan-waves.js';
import { readWritten } from './read-written.js';
import type { PendingOutcome } from './read-written.js';

/** Items after which other requests get their turn, where each is written alone. */
const ITEMS_PER_TURN = 20;

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

const runSingles = async (
  transaction: BulkTransaction,
  items: readonly ClassifiedItem[],
): Promise<readonly PendingOutcome[]> => {
  const outcomes: PendingOutcome[] = [];
  for (const { item } of items) {
    outcomes.push(await runSingle(transaction, item));
    if (outcomes.length % ITEMS_PER_TURN === 0) await yieldToEventLoop();
  }
  return outcomes;
};

/** Returns null where the items of the wave have to be written one by one. */
const runTogether = async (
  context: DocumentContext,
  tx: Transaction,
  wave: Wave,
): Promise<readonly PendingOutcome[] | null> => {
  if (wave.kind === 'create') {
    const documentIds = await writeCreateWave(context, tx, wave.documents);
    return documentIds.map((documentId, index) => ({
      documentId,
      written: defined(wave.documents[index], 'A new document'),
    }));
  }
  if (wave.kind === 'single') return null;
  if (wave.kind === 'change') {
    await writeChangeWave(context, tx, wave.changes);
    return wave.changes.map(({ type, params, locale, returned }) => ({
      documentId: params.documentId,
      written: { type, locale, params: Object.assign({}, params, { status: returned }) },
    }));
  }
  await writeDeleteWave(context, tx, wave.deletions);
  return wave.deletions.map(({ params }) => ({ documentId: params.documentId, record: null }));
};

/**
 * Writes the items together, or one by one where that fails, which tells what is wrong with each. The
 * savepoint around them takes back what they wrote together.
 */
const runWave = async (
  transaction: BulkTransaction,
  { wave, items }: PlannedWave,
): Promise<readonly PendingOutcome[]> => {
  const { context, nested } = transaction;
  if (wave.kind === 'single') return runSingles(transaction, items);
  try {
    const outcomes = await nested.run((tx) => runTogether(context, tx, wave));
    if (outcomes !== null) return outcomes;
  } catch (error) {
    if (endsBulk(error)) throw error;
  }
  return runSingles(transaction, items);
};

const classifyAll = async (
  context: DocumentContext,
  items: readonly BulkItem[],
): Promise<readonly ClassifiedItem[]> => {
  const classified: ClassifiedItem[] = [];
  for (const item of items) {
    classified.push(await classifyItem(context, item));
    if (classified.length % ITEMS_PER_TURN === 0) await yieldToEventLoop();
  }
  return classified;
};

/**
 * Runs many writes in one transaction. Their effect is that of the same operations one after the other.
 *
 * @returns what became of each item, in the same order
 * @throws `request/invalid-bulk` if it is atomic and an item cannot be written
 */
export async function runBulk(
  context: DocumentContext,
  openNested: OpenNestedDocuments,
  { items, atomic, progress }: BulkParams,
): Promise<readonly BulkOutcome[]> {
  const waves = planWaves(await classifyAll(context, items));
  const outcomes = await transactWrite(context, async (tx) => {
    const transaction: BulkTransaction = { context, tx, ...openNested(tx) };
    const found: PendingOutcome[] = [];
    for (const wave of waves) {
      found.push(...(await runWave(transaction, wave)));
      await yieldToEventLoop();
    }
    const error = atomic ? createBulkError(found) : null;
    if (error !== null) throw error;
    if (progress !== undefined) await saveImportProgress(tx, progress);
    return found;
  });
  return readWritten(context, outcomes);
}
