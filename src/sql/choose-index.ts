import type { SqlExpressions } from '../dialects/sql-expressions.js';
import type { Attribute, ContentType } from '../model/model.js';
import { orderKeysOf } from '../query/order-keys.js';
import type { CompareNode, ComparisonOperator, FilterNode, LinkNode, ReadQuery } from '../query/query.js';
import { isIndexed } from './fields.js';
import { isLowCardinality, namesLink } from './selectivity.js';

const LOOKUPS: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$in', '$startsWith']);
const RANGES: ReadonlySet<ComparisonOperator> = new Set(['$lt', '$lte', '$gt', '$gte', '$between']);

/** The nodes of a read whose columns the planner must not look up in an index. */
type UnindexedNodes = ReadonlySet<object>;

/** What many or few rows match: comparisons of one column, or a link. */
export type CountedCondition = readonly CompareNode[] | LinkNode;

/** Which indexes a read takes, where the planner does not know. */
export interface IndexChoice {
  readonly unindexed: UnindexedNodes;
  /** Whether rows are found through the link that a condition names. */
  readonly startsAtLink: boolean;
  /** The choice where many rows match a condition, which only the database knows. Null: it is the same. */
  readonly ifMany: { readonly start: CountedCondition; readonly unindexed: UnindexedNodes } | null;
}

/** Ids have keys of their own. */
const canBeLookedUp = (type: ContentType, field: string): boolean =>
  field === 'id' || field === 'documentId' || isIndexed(type, field);

const isUniqueAttribute = (attribute: Attribute | undefined): boolean =>
  attribute?.family === 'scalar' && attribute.constraints.unique;

/** Whether few rows have one value of the field. */
const isUnique = ({ attributes }: ContentType, field: string): boolean =>
  field === 'id' ||
  field === 'documentId' ||
  isUniqueAttribute(Object.hasOwn(attributes, field) ? attributes[field] : undefined);

/** The conditions that every row must meet. */
const requiredNodes = (node: FilterNode | null): readonly FilterNode[] => {
  if (node === null) return [];
  return node.kind === 'and' ? node.items.flatMap(requiredNodes) : [node];
};

const isComparison = (node: FilterNode): node is CompareNode => node.kind === 'compare';

/** The comparisons of a row's own columns. */
const ownComparisons = (node: FilterNode | null): readonly CompareNode[] => {
  if (node === null) return [];
  if (node.kind === 'compare') return [node];
  if (node.kind === 'not') return ownComparisons(node.item);
  return node.kind === 'and' || node.kind === 'or' ? node.items.flatMap(ownComparisons) : [];
};

const lookupsOf = (type: ContentType, filter: FilterNode | null): readonly CompareNode[] =>
  requiredNodes(filter)
    .filter(isComparison)
    .filter(
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
function unindexedNodes(type: ContentType, query: ReadQuery): ReadonlySet<object> {
  const { filter, sort, page } = query;
  const lookups = lookupsOf(type, filter);
  // Rows of one value are in the order of their ids, rows of several are not.
  const isSorted = lookups.some(({ operator }) => operator === '$eq');
  if (lookups.length > 0) return new Set<object>(isSorted ? sort : orderKeysOf(sort));
  return new Set(page !== null && hasIndexedOrder(type, query) ? ownComparisons(filter) : []);
}

/** The field that a page is in the order of, if an index provides that order. */
const indexedOrder = (type: ContentType, { sort, page }: ReadQuery): string | null => {
  const [first] = orderKeysOf(sort);
  const [field = '', ...nested] = first?.path ?? [];
  if (first?.score !== undefined) return null;
  return page !== null && nested.length === 0 && canBeLookedUp(type, field) ? field : null;
};

/** Whether an index holds the rows of one value in the order of the read. */
const isOrderedWithin = ({ indexes }: ContentType, field: string, { sort }: ReadQuery): boolean =>
  indexes.some(
    ([first, second]) =>
      first?.field === field && second !== undefined && second.field === sort[0]?.path.join('.'),
  );

/** The rows of some values. */
const chooseLookup = (
  type: ContentType,
  query: ReadQuery,
  lookups: readonly CompareNode[],
): IndexChoice | null => {
  const exact = lookups.find(({ operator }) => operator === '$eq');
  const start = exact ?? lookups[0];
  if (start === undefined) return null;
  if (exact !== undefined && isOrderedWithin(type, exact.field, query))
    return { unindexed: new Set(), startsAtLink: false, ifMany: null };
  // Rows of one value are in the order of their ids, rows of several are not.
  const unindexed = new Set<object>(exact === undefined ? orderKeysOf(query.sort) : query.sort);
  const isFew = isUnique(type, start.field) && start.operator !== '$startsWith';
  const isInOrder = exact !== undefined && query.sort.length === 0;
  const isCertain = isFew || isInOrder || indexedOrder(type, query) === null;
  const ifMany = isCertain ? null : { start: [start], unindexed: new Set(ownComparisons(query.filter)) };
  return { unindexed, startsAtLink: false, ifMany };
};

/** The rows of a range of values, where the order is that of another index. */
const chooseRange = (
  type: ContentType,
  query: ReadQuery,
  comparisons: readonly CompareNode[],
): IndexChoice | null => {
  const order = indexedOrder(type, query);
  const ranges = comparisons.filter(
    ({ field, operator }) => RANGES.has(operator) && field !== order && canBeLookedUp(type, field),
  );
  const [range] = ranges;
  if (order === null || range === undefined || comparisons.some(({ field }) => field === order)) return null;
  const items = ranges.filter(({ field }) => field === range.field);
  const others = ownComparisons(query.filter).filter((node) => !items.includes(node));
  return {
    unindexed: new Set<object>([...others, ...orderKeysOf(query.sort)]),
    startsAtLink: false,
    ifMany: { start: items, unindexed: new Set(ownComparisons(query.filter)) },
  };
};

type Planner = Pick<SqlExpressions, 'hasStatistics'>;

/** Leaves to a planner with statistics what they tell. Of texts in another collation they tell nothing. */
const chooseWithStatistics = (choice: IndexChoice): IndexChoice => {
  const start = choice.ifMany?.start ?? [];
  const isRange = 'kind' in start || start.length === 0 ? false : start.every(isRangeOfValues);
  return isRange ? choice : { ...choice, unindexed: new Set(), ifMany: null };
};

const isRangeOfValues = ({ operator }: CompareNode): boolean =>
  RANGES.has(operator) || operator === '$startsWith';

/** Chooses the indexes of a read whose rows a full-text index finds. */
export function chooseIndexesBeside(
  type: ContentType,
  query: ReadQuery,
  { hasStatistics }: Planner,
): IndexChoice {
  const unindexed = hasStatistics ? new Set<object>() : unindexedNodes(type, query);
  return { unindexed, startsAtLink: false, ifMany: null };
}

/**
 * Chooses between the index of a filter and that of the order, as `unindexedNodes` does, and where only the
 * data can tell which is better, both.
 *
 * `link` is the condition on a link by which the rows are found, if there is one.
 */
export function chooseIndexes(
  type: ContentType,
  query: ReadQuery,
  link: LinkNode | null,
  { hasStatistics }: Planner,
): IndexChoice {
  const choice = chooseByForm(type, query, link);
  return hasStatistics ? chooseWithStatistics(choice) : choice;
}

const chooseByForm = (type: ContentType, query: ReadQuery, link: LinkNode | null): IndexChoice => {
  const comparisons = requiredNodes(query.filter).filter(isComparison);
  const lookups = lookupsOf(type, query.filter);
  const choice =
    lookups.length === 0 && link !== null
      ? null
      : (chooseLookup(type, query, lookups) ?? chooseRange(type, query, comparisons));
  if (choice !== null) return choice;
  // Counting the rows that nested links lead to costs as much as reading them.
  const isCertain = link === null || indexedOrder(type, query) === null || namesLink(link.filter);
  return {
    unindexed: unindexedNodes(type, query),
    startsAtLink: link !== null,
    ifMany: isCertain
      ? null
      : { start: link, unindexed: new Set<object>([link, ...ownComparisons(query.filter)]) },
  };
};
