import type { Transaction } from '../database/database.js';
import { isStorableText } from '../fields/text-value.js';
import type { ContentType } from '../model/model.js';
import type { DocumentContext } from './document-context.js';

/** Counts the document's revision up, which keeps other writers of it waiting until the transaction ends. False: there is no such document. */
export async function lockDocument({ anchorOf }: DocumentContext, tx: Transaction, type: ContentType, documentId: string): Promise<boolean> {
  // Text that no database can hold is no document's id, and would be an error of the driver's.
  if (!isStorableText(documentId)) return false;
  const { sql, parameters } = anchorOf(type).lock([documentId]);
  return (await tx.execute(sql, parameters)) > 0;
}
