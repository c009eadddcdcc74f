import type { ReadQuery } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText } from '../documents.js';
import { ofDocument } from '../read-records.js';

/** One document's version, or the single type's; null where it does not exist or the query's filter excludes it. */
export async function findOne({ records }: DocumentContext, query: ReadQuery, documentId: string | null): Promise<RecordText | null> {
  const [record] = await records.many(documentId === null ? query : ofDocument(query, documentId));
  return record ?? null;
}
