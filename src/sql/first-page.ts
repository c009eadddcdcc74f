import type { FirstPage } from '../dialects/row-path.js';
import { publicationFilterOf } from '../query/publication-filter.js';
import type { ReadQuery } from '../query/query.js';
import type { CompileContext } from './compile-context.js';

/** Whether a locale exists. Null: no statement is planned for several runs. */
export type KnownLocales = ((code: string) => boolean) | null;

/** Few, so that a list has few statements. A planner takes an unknown limit for a tenth of them. */
const SIZES: readonly number[] = [1, 10, 25, 100];

const isSlice = (node: object): boolean => 'limit' in node && 'offset' in node;

/**
 * Returns for how many rows the first page of a whole list is planned, whatever its limit. Its locale is then
 * part of the statement: how many rows it has decides which index is best. Null for other reads: the values
 * of their filters decide, or what of the order comes before the page.
 *
 * @param nodes the nodes of all values
 */
export function firstPageSize(
  query: ReadQuery,
  nodes: readonly object[],
  hasLocale: KnownLocales,
): number | null {
  const { page, locale, filter, isOfAllStatuses = false } = query;
  if (page === null || page.offset > 0 || filter !== null) return null;
  if (isOfAllStatuses || publicationFilterOf(query) !== null) return null;
  if (hasLocale === null || (locale !== '*' && !hasLocale(locale))) return null;
  if (nodes.some((node) => node !== query && !isSlice(node))) return null;
  return SIZES.find((size) => page.limit <= size) ?? null;
}

/** Returns the limits of a first page that one plan serves. */
export function compileFirstPage(
  { bind, firstPageSize: atMost }: CompileContext,
  query: ReadQuery,
): FirstPage | null {
  const { page } = query;
  return page === null || atMost === null ? null : { atMost, limit: bind(page, 'integer') };
}
