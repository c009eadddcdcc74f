import type { Page } from '../../query/query.js';

/** The maximum of GraphQL's Int. A page with a larger limit holds everything. */
const MAX_INT = 2_147_483_647;

/** Returns the `pageInfo` of a page among `total` records. Null: a page with all of them. */
export function pageInfoOf(
  page: Page | null,
  total: number,
): Readonly<Record<'page' | 'pageSize' | 'pageCount' | 'total', number>> {
  const pageSize = page === null || page.limit > MAX_INT ? Math.max(total, 1) : page.limit;
  return {
    page: Math.floor((page?.offset ?? 0) / pageSize) + 1,
    pageSize,
    pageCount: Math.ceil(total / pageSize),
    total,
  };
}
