import type { FirstRows } from '../dialects/row-path.js';
import { publicationFilterOf } from '../query/publication-filter.js';
import type { CompareNode, FilterNode, ReadQuery } from '../query/query.js';
import type { CompileContext } from './compile-context.js';

/** Whether a locale exists. Null: no statement is planned for several runs. */
export type KnownLocales = ((code: string) => boolean) | null;

/** Few, so that a list has few statements. A planner takes an unknown limit for a tenth of them. */
const SIZES: readonly number[] = [1, 10, 25, 100];

const isSlice = (node: object): boolean => 'limit' in node && 'offset' in node;

/** Statistics tell how many rows link a document that is named, so that it decides the plan. */
const isEquality = ({ field, operator }: CompareNode): boolean =>
  (operator === '$eq' || operator === '$in') && field !== 'id' && field !== 'documentId';

/** The comparisons of a filter. Null if their values tell a planner more than it guesses. */
const guessedComparisons = (node: FilterNode, isLinked: boolean): readonly CompareNode[] | null => {
  if (node.kind === 'compare') return isLinked && isEquality(node) ? [node] : null;
  if (node.kind === 'link') return guessedComparisons(node.filter, true);
  if (node.kind !== 'and') return null;
  const items = node.items.map((item) => guessedComparisons(item, isLinked));
  return items.some((item) => item === null) ? null : items.flatMap((item) => item ?? []);
};

/**
 * Returns for how many of its first rows a list is planned, whatever the limit and offset of the page. Its
 * locale is then part of the statement: how many rows it has decides which index is best. Null for other
 * reads: the values of their filters decide, or what of the order comes before the page. The values of linked
 * rows do not: statistics tell nothing of how many rows link those that have them.
 *
 * @param nodes the nodes of all values
 */
export function firstRowCount(
  query: ReadQuery,
  nodes: readonly object[],
  hasLocale: KnownLocales,
): number | null {
  const { page, locale, filter, isOfAllStatuses = false } = query;
  const comparisons = filter === null ? [] : guessedComparisons(filter, false);
  if (page === null || comparisons === null) return null;
  if (isOfAllStatuses || publicationFilterOf(query) !== null) return null;
  if (hasLocale === null || (locale !== '*' && !hasLocale(locale))) return null;
  const known = new Set<object>([query, ...comparisons]);
  if (nodes.some((node) => !known.has(node) && !isSlice(node))) return null;
  // A whole list is walked through in its order, for which the rows before the page do not matter.
  if (filter === null && page.offset > 0) return null;
  return SIZES.find((size) => page.offset + page.limit <= size) ?? null;
}

/** Returns the rows of all pages that one plan serves. */
export function compileFirstRows(context: CompileContext, { page, filter }: ReadQuery): FirstRows | null {
  const { firstRowCount: atMost } = context;
  if (page === null || atMost === null) return null;
  const offset = filter === null ? null : context.bind(page, 'integer', 1);
  return { atMost, limit: context.bind(page, 'integer'), offset };
}
