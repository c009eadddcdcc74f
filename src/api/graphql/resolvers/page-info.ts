import type { FindManyResult, PageEnds } from '../../../documents/documents.js';
import type { Page } from '../../../query/query.js';

/** The maximum of GraphQL's Int. A page with a larger limit holds everything. */
const MAX_INT = 2_147_483_647;

/**
 * Returns the `pageInfo` of a page among `total` records. Null: a page with all of them. A page without a
 * limit is the only one, and as long as what is left from its start.
 */
export function pageInfoOf(
  page: Page | null,
  total: number,
): Readonly<Record<'page' | 'pageSize' | 'pageCount' | 'total', number>> {
  const { offset, limit } = page ?? { offset: 0, limit: Infinity };
  if (limit > MAX_INT) return { page: 1, pageSize: Math.max(total - offset, 0), pageCount: 1, total };
  return {
    page: Math.floor(offset / limit) + 1,
    pageSize: limit,
    pageCount: Math.ceil(total / limit),
    total,
  };
}

/** Returns what is known of a page: its place if the records were counted, and its ends if it has cursors. */
export function pageInfoValues(
  page: Page | null,
  { total, ends }: Omit<FindManyResult, 'records'>,
): Readonly<Record<string, unknown>> {
  return {
    ...(total === null ? {} : pageInfoOf(page, total)),
    ...(ends === undefined ? {} : cursorInfoOf(ends)),
  };
}

/** Returns the fields of `pageInfo` that lead to other pages. */
function cursorInfoOf({ first, last, hasPrevious, hasNext }: PageEnds): Readonly<Record<string, unknown>> {
  return { startCursor: first, endCursor: last, hasPreviousPage: hasPrevious, hasNextPage: hasNext };
}
