import type { ContentSchema } from '../model/model.js';
import { restrictFilter } from './access-scope.js';
import { joinNodes } from './filter-nodes.js';
import { parseFilters } from './parse-filters.js';
import { parseSlice } from './parse-pagination.js';
import { parseSort } from './parse-sort.js';
import type { ComponentPopulate, FilterNode, LocalizationsPopulate } from './query.js';
import type { ReadContext } from './read-context.js';

/** A client's `filters`, `sort` and `pagination` for a list whose items are of that schema. */
export interface ListRangeOptions {
  readonly schema: ContentSchema;
  readonly rawOptions: Readonly<Record<'filters' | 'sort' | 'pagination', unknown>>;
}

/**
 * Returns the node with the range that the client requests. Filters are restricted to records that the caller
 * may see.
 *
 * @throws `request/invalid-parameter`, `request/mixed-pagination`, `request/query-too-deep`,
 *   `request/query-too-large`
 */
export function withListRange<Node extends ComponentPopulate | LocalizationsPopulate>(
  context: ReadContext,
  node: Node,
  { schema, rawOptions: { filters, sort: rawSort, pagination } }: ListRangeOptions,
): Node {
  const location = { schema, path: 'filters', depth: 0 };
  const parsedFilter = parseFilters(context, location, filters);
  const conditions: readonly (FilterNode | null | undefined)[] = [
    node.filter,
    parsedFilter === null ? null : restrictFilter(context, schema, parsedFilter),
  ];
  const filter = joinNodes(
    'and',
    conditions.filter((condition) => condition !== null && condition !== undefined),
  );
  const sort = parseSort(context, { ...location, path: 'sort' }, rawSort);
  const slice = parseSlice({ pagination }, context.limits, node.attribute);
  return {
    ...node,
    ...(filter === null ? {} : { filter }),
    ...(sort.length === 0 ? {} : { sort }),
    ...(slice === null ? {} : { slice }),
  };
}
