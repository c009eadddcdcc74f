import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Transaction } from '../../database/database.js';
import { defined } from '../../lib/defined.js';
import { createDocumentId } from '../../lib/document-id.js';
import type { ParsedInput } from '../../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import { fillGeneratedUids } from '../generated-uids.js';
import { createEvent } from '../operations/run-write.js';
import { DOCUMENTS_PER_TURN, writeTogether } from '../together/write-together.js';
import { openWriteContext } from '../write-context.js';
import type { WriteContext } from '../write-context.js';
import { assertWrittenMetadata, createParseContext } from '../write-locale.js';
import { claimKey, claimValues, createClaims } from './claims.js';
import type { Claims } from './claims.js';
import type { NewDocument } from './classify-items.js';

const openDocument = async (
  context: DocumentContext,
  tx: Transaction,
  { type, params: { access, documentId }, input, locale, publish }: NewDocument,
  claims: Claims,
): Promise<{ readonly context: WriteContext; readonly parsed: ParsedInput }> => {
  const writeContext = openWriteContext(context, {
    tx,
    type,
    documentId: documentId ?? createDocumentId(),
    locale,
    publish,
    rows: [],
    access,
    now: context.clock(),
  });
  assertWrittenMetadata(input, writeContext);
  const completeInput = await fillGeneratedUids(writeContext, input, (name, value) =>
    claims.has(claimKey(writeContext, name, value)),
  );
  const parsed = context.validatorOf(type).parse(completeInput, createParseContext(writeContext));
  claimValues(writeContext, parsed, claims);
  return { context: writeContext, parsed };
};

const eventOf = ({ type, params, locale, publish }: NewDocument, documentId: string) =>
  createEvent(
    { action: 'create', type, locale, status: publish ? 'published' : 'draft', data: params.data },
    documentId,
  );

/**
 * Creates documents of one type together. Throws if any of them is invalid; then those that are written must
 * be rolled back.
 *
 * @returns the document ids, in the same order
 */
export async function writeCreateWave(
  context: DocumentContext,
  tx: Transaction,
  documents: readonly NewDocument[],
): Promise<readonly string[]> {
  const claims = createClaims();
  const opened: Awaited<ReturnType<typeof openDocument>>[] = [];
  for (const document of documents) {
    opened.push(await openDocument(context, tx, document, claims));
    if (opened.length % DOCUMENTS_PER_TURN === 0) await yieldToEventLoop();
  }
  const events = opened.map((write, index) =>
    eventOf(defined(documents[index], 'A new document'), write.context.documentId),
  );
  await context.hooks.emitBefore(events, tx);
  await writeTogether(opened, { areNew: true });
  tx.afterCommit(() => context.hooks.emitAfter(events));
  return opened.map((write) => write.context.documentId);
}
