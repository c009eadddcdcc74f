import type { ReadQuery } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';
import type { FindManyResult } from '../documents.js';

/** The records of one page, and how many there are in all where the page asks for it. */
export async function findMany({ records }: DocumentContext, query: ReadQuery): Promise<FindManyResult> {
  if (query.page?.withCount !== true) return { records: await records.many(query), total: null };
  const [page, total] = await Promise.all([records.many(query), records.count(query)]);
  return { records: page, total };
}
