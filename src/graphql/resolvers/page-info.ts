import type { Page } from '../../query/query.js';

/** The highest Int; a page that holds everything has no size of its own. */
const MAX_INT = 2_147_483_647;

/** Where a page stands among all there is. An offset counts in pages of the size of its limit. */
export function pageInfoOf(page: Page | null, total: number): Readonly<Record<'page' | 'pageSize' | 'pageCount' | 'total', number>> {
  const pageSize = page === null || page.limit > MAX_INT ? Math.max(total, 1) : page.limit;
  return { page: Math.floor((page?.offset ?? 0) / pageSize) + 1, pageSize, pageCount: Math.ceil(total / pageSize), total };
}
