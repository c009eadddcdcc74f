import type { Transaction } from '../../database/database.js';
import { sql } from 'kysely';
import { isStorableText } from '../../fields/text-value.js';
import type { ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import { createEvent } from '../operations/run-write.js';
import { deleteDocuments } from '../stored-document.js';
import type { Deletion } from './classify-items.js';

/** A document that stays in other locales, whose deletion takes more than that of its row. */
class PartialDeletion extends Error {
  override readonly name = 'PartialDeletion';
}

/** Returns those of the documents that have a version in the locale. */
const findInLocale = async (
  { database }: DocumentContext,
  tx: Transaction,
  { storage }: ContentType,
  documentIds: readonly string[],
  locale: string,
): Promise<readonly string[]> => {
  const { expressions } = database.dialect;
  const isListed = expressions.inList(sql`document_id`, 'text', expressions.encodeList('text', documentIds));
  const statement = sql`select distinct document_id, locale from ${sql.id(storage.version.table)}
    where ${isListed}`.compile(expressions.kysely);
  const rows = await tx.query(statement.sql, statement.parameters);
  const found = new Set<string>();
  const elsewhere = new Set<string>();
  for (const row of rows) (row['locale'] === locale ? found : elsewhere).add(String(row['document_id']));
  if ([...found].some((documentId) => elsewhere.has(documentId))) throw new PartialDeletion();
  return [...found];
};

/**
 * Deletes documents of one type together. A missing document is no error. Throws if one of them stays in
 * other locales.
 */
export async function writeDeleteWave(
  context: DocumentContext,
  tx: Transaction,
  deletions: readonly Deletion[],
): Promise<void> {
  const [first] = deletions;
  if (first === undefined) return;
  const { type, locale } = first;
  const documentIds = deletions.map(({ params }) => params.documentId).filter(isStorableText);
  const documents = context.documentTableOf(type);
  const lock = documents.lockExisting(documentIds);
  const existing = (await tx.query(lock.sql, lock.parameters)).map((row) => String(row['document_id']));
  const deleted = locale === null ? existing : await findInLocale(context, tx, type, existing, locale);
  const events = deleted.map((documentId) =>
    createEvent({ action: 'delete', type, locale, status: null, data: null }, documentId),
  );
  await context.hooks.emitBefore(events, tx);
  await deleteDocuments(context, tx, type, deleted);
  tx.afterCommit(() => context.hooks.emitAfter(events));
}
