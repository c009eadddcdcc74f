import { assertNever } from '../lib/assert-never.js';
import type { ComparisonOperator, FilterNode } from '../query/query.js';

/** Operators that pick few rows of many. */
const PICKING: ReadonlySet<ComparisonOperator> = new Set([
  '$eq', '$eqi', '$in', '$between', '$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi',
]);

/** Whether a filter can be expected to fit few of a table's rows, going by its form alone. */
export function isSelective(node: FilterNode): boolean {
  switch (node.kind) {
    case 'compare': return PICKING.has(node.operator);
    case 'and': return node.items.some(isSelective);
    case 'or': return node.items.length > 0 && node.items.every(isSelective);
    case 'link': case 'component': return isSelective(node.filter);
    case 'not': case 'link-empty': case 'component-empty': return false;
    default: return assertNever(node, 'filter node');
  }
}
