import type { ContentSchema } from '../../model/model.js';
import { restrictFilter } from '../access-scope.js';
import { joinNodes } from '../filter-nodes.js';
import { parseFilters } from './parse-filters.js';
import { parseSlice } from './parse-pagination.js';
import { parseSort } from './parse-sort.js';
import type { ComponentPopulate, FilterNode, LocalizationsPopulate } from '../query.js';
import { locate } from '../read-context.js';
import type { ReadContext } from '../read-context.js';

/** A client's `filters`, `sort` and `pagination` for a list whose items are of that schema. */
export interface ListRangeOptions {
  readonly schema: ContentSchema;
  /** The path of the list in the request. Default: the options have no path of their own. */
  readonly path?: string;
  readonly rawOptions: Readonly<Record<string, unknown>>;
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
  { schema, path = '', rawOptions }: ListRangeOptions,
): Node {
  const location = { schema, path, depth: 0 };
  const parsedFilter = parseFilters(context, locate(location, 'filters'), rawOptions['filters']);
  const conditions: readonly (FilterNode | null | undefined)[] = [
    node.filter,
    parsedFilter === null ? null : restrictFilter(context, schema, parsedFilter),
  ];
  const filter = joinNodes(
    'and',
    conditions.filter((condition) => condition !== null && condition !== undefined),
  );
  const sort = parseSort(context, locate(location, 'sort'), rawOptions['sort']);
  const pagination = rawOptions['pagination'];
  const slice = parseSlice({ pagination }, context.limits, node.attribute);
  return {
    ...node,
    ...(filter === null ? {} : { filter }),
    ...(sort.length === 0 ? {} : { sort }),
    ...(slice === null ? {} : { slice }),
  };
}
