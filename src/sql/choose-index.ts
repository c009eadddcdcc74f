import type { ContentType } from '../model/model.js';
import { orderKeysOf } from '../query/order-keys.js';
import type { CompareNode, ComparisonOperator, FilterNode, ReadQuery } from '../query/query.js';
import { isIndexed } from './fields.js';
import { isLowCardinality } from './selectivity.js';

const LOOKUPS: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$in', '$startsWith']);

/** Ids have keys of their own. */
const canBeLookedUp = (type: ContentType, field: string): boolean =>
  field === 'id' || field === 'documentId' || isIndexed(type, field);

/** The comparisons that every row must meet. */
const requiredComparisons = (node: FilterNode | null): readonly CompareNode[] => {
  if (node?.kind === 'compare') return [node];
  return node?.kind === 'and' ? node.items.flatMap(requiredComparisons) : [];
};

/** The comparisons of a row's own columns. */
const ownComparisons = (node: FilterNode | null): readonly CompareNode[] => {
  if (node === null) return [];
  if (node.kind === 'compare') return [node];
  if (node.kind === 'not') return ownComparisons(node.item);
  return node.kind === 'and' || node.kind === 'or' ? node.items.flatMap(ownComparisons) : [];
};

const lookupsOf = (type: ContentType, filter: FilterNode | null): readonly CompareNode[] =>
  requiredComparisons(filter).filter(
    ({ field, operator }) =>
      LOOKUPS.has(operator) && canBeLookedUp(type, field) && !isLowCardinality(type, field),
  );

/** Whether an index of the table has the few rows that a filter names. */
export function hasLookups(type: ContentType, filter: FilterNode): boolean {
  return lookupsOf(type, filter).length > 0;
}

/** Whether an index of the table has the order of a read. */
export function hasIndexedOrder(type: ContentType, { sort: [first] }: ReadQuery): boolean {
  if (first === undefined || first.score !== undefined) return false;
  const [field, ...nested] = first.path;
  return field !== undefined && nested.length === 0 && canBeLookedUp(type, field);
}

/**
 * Returns the nodes of a read whose columns the planner must not look up in an index. SQLite's planner has no
 * statistics: it sorts all rows of a wide range rather than walk through the index that has their order, and
 * walks through all rows in order rather than sort the few that have a value.
 */
export function unindexedNodes(type: ContentType, query: ReadQuery): ReadonlySet<object> {
  const { filter, sort, page } = query;
  const lookups = lookupsOf(type, filter);
  // Rows of one value are in the order of their ids, rows of several are not.
  const isSorted = lookups.some(({ operator }) => operator === '$eq');
  if (lookups.length > 0) return new Set<object>(isSorted ? sort : orderKeysOf(sort));
  return new Set(page !== null && hasIndexedOrder(type, query) ? ownComparisons(filter) : []);
}
