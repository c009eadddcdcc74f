import type { LazySignal } from '../../lib/lazy-signal.js';
import type { ContentType } from '../../model/model.js';
import type { AggregateQuery } from '../../query/aggregate.js';
import type { ReadQuery } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';
import type { AggregateResult, FindManyResult, RecordText } from '../documents.js';
import { readPage } from '../read/read-page.js';
import { recordsFor } from '../read/record-reader.js';

/** Returns the records of one page, and the total number if the page asks for it. */
export async function findMany(
  { records }: DocumentContext,
  query: ReadQuery,
  signal?: LazySignal,
): Promise<FindManyResult> {
  return readPage(recordsFor(records, signal), query);
}

/**
 * Returns one document's version, or the single type's if `documentId` is null. Null if there is none that
 * the query's filter matches.
 */
export async function findOne(
  { records }: DocumentContext,
  query: ReadQuery,
  documentId: string | null,
  signal?: LazySignal,
): Promise<RecordText | null> {
  if (documentId !== null) return records.one(query, documentId, signal);
  const [record] = await records.many(query, signal);
  return record ?? null;
}

/** Returns the number of versions that the query matches, regardless of its page. */
export async function count({ records }: DocumentContext, query: ReadQuery): Promise<number> {
  return records.count(query);
}

/** Returns figures over the versions that a query matches. */
export async function aggregate(
  { records }: DocumentContext,
  query: AggregateQuery,
  signal?: LazySignal,
): Promise<AggregateResult> {
  const { slice } = query;
  if (slice === null) return { records: await records.aggregate(query, signal), hasMore: false };
  const { limit } = slice;
  const groups = await records.aggregate({ ...query, slice: { ...slice, limit: limit + 1 } }, signal);
  return { records: groups.slice(0, limit), hasMore: groups.length > limit };
}

/** Returns the id of a single type's document, or null before its first write. */
export async function singleDocumentId(
  { database, documentTableOf }: DocumentContext,
  type: ContentType,
): Promise<string | null> {
  const { sql } = documentTableOf(type).first();
  const [documentId] = await database.readTexts(sql, []);
  return documentId ?? null;
}
