import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createError } from '../../errors/catalogue.js';
import { chunksOf } from '../../lib/chunks.js';
import { getOrCreate } from '../../lib/memoize.js';
import type { DocumentContext } from '../document-context.js';
import { typeOf } from '../../model/lookup.js';
import type { BulkOutcome, RecordText } from '../documents.js';
import { loadWrittenVersions } from '../read/read-records.js';
import { returnedStatus } from '../write/write-documents.js';
import type { ReturningItem } from '../write/write-documents.js';

/** A written document whose record is not read yet. */
interface WrittenDocument {
  readonly documentId: string;
  readonly item: ReturningItem;
}

export type PendingOutcome = BulkOutcome | WrittenDocument;

/** Few, so that one statement neither holds the event loop nor reaches the limit of records. */
const CHUNK_SIZE = 25;

/** Documents that one query returns: of one type, in the same form. */
const groupByForm = (written: readonly WrittenDocument[]): Iterable<readonly WrittenDocument[]> => {
  const selections = new Map<unknown, number>();
  const groups = new Map<string, WrittenDocument[]>();
  for (const document of written) {
    const { type, locale, selection } = document.item.params;
    const form = getOrCreate(selections, selection, () => selections.size);
    const key = [type, locale, returnedStatus(document.item), form].join('\n');
    getOrCreate(groups, key, () => []).push(document);
  }
  return groups.values();
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
export async function readWritten(
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
