import type { Transaction } from '../database/database.js';
import { isStorableText } from '../fields/text-value.js';
import type { ContentType } from '../model/model.js';
import type { DocumentContext } from './document-context.js';
import type { VersionRow, VersionSelector } from './rows/version-statements.js';

/**
 * Increments the document's revision. That locks its row, so that other writers of the document wait until
 * the transaction ends.
 *
 * @returns false if there is no such document
 */
export async function lockDocument(
  { documentTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentId: string,
): Promise<boolean> {
  // The driver fails on text that the database cannot store. No document has such an id.
  if (!isStorableText(documentId)) return false;
  const { sql, parameters } = documentTableOf(type).lock([documentId]);
  return (await tx.execute(sql, parameters)) > 0;
}

/** Returns all versions of a document, oldest first. */
export async function loadVersions(
  { versionTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentId: string,
): Promise<readonly VersionRow[]> {
  const versions = versionTableOf(type);
  const { sql, parameters } = versions.load(documentId);
  return (await tx.query(sql, parameters)).map(versions.read);
}

/** Deletes the selected versions of a document. The database deletes their links with them. */
export async function deleteVersions(
  { versionTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  versions: VersionSelector,
): Promise<void> {
  const { sql, parameters } = versionTableOf(type).deleteAll(versions);
  await tx.execute(sql, parameters);
}

/** Deletes documents with all that is stored of them. The database deletes their versions and links. */
export async function deleteDocuments(
  { documentTableOf, schedules }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentIds: readonly string[],
): Promise<void> {
  const { sql, parameters } = documentTableOf(type).delete(documentIds);
  await tx.execute(sql, parameters);
  if (type.draftAndPublish) await schedules.remove(tx, { type: type.uid, documentIds, locale: null });
}
