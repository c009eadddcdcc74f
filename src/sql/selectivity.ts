import { assertNever } from '../lib/assert-never.js';
import type { AttributeHolder } from '../model/model.js';
import type { ComparisonOperator, FilterNode } from '../query/query.js';
import { typeOf } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { linkAttributeOf } from './links.js';

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

/** Operators that name the values themselves. */
const NAMING: ReadonlySet<ComparisonOperator> = new Set(['$eq', '$eqi', '$in']);

/** Each value of such a field can be expected to stand in many rows. */
const hasFewValues = (holder: AttributeHolder, field: string): boolean => {
  const attribute = Object.hasOwn(holder.attributes, field) ? holder.attributes[field] : undefined;
  if (attribute?.family === 'scalar') return attribute.type === 'boolean' || attribute.type === 'enumeration';
  return field === 'locale';
};

const namesFew = (context: CompileContext, holder: AttributeHolder, node: FilterNode): boolean => {
  switch (node.kind) {
    case 'compare': return NAMING.has(node.operator) && !hasFewValues(holder, node.field);
    case 'and': return node.items.some((item) => namesFew(context, holder, item));
    case 'or': return node.items.length > 0 && node.items.every((item) => namesFew(context, holder, item));
    case 'link': {
      const { target } = linkAttributeOf(holder, node.attribute);
      return target !== null && namesFew(context, typeOf(context, target), node.filter);
    }
    case 'component': case 'not': case 'link-empty': case 'component-empty': return false;
    default: return assertNever(node, 'filter node');
  }
};

/**
 * Whether the rows that fit a filter are best found from what they link: all of them must link one of a few documents, which the filter
 * names. Mere search words are not enough, since a page of what nearly everything fits is found faster by going through all.
 */
export function startsAtLink(context: CompileContext, holder: AttributeHolder, node: FilterNode): boolean {
  if (node.kind === 'and') return node.items.some((item) => startsAtLink(context, holder, item));
  return node.kind === 'link' && namesFew(context, holder, node);
}
