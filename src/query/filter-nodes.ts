import { assertNever } from '../lib/assert-never.js';
import type { CompareNode, FilterNode } from './query.js';

type GroupKind = 'and' | 'or';
type InnerKind = 'link' | 'component';

/** Joins the conditions; null where there are none, the condition itself where there is one. */
export function group(kind: GroupKind, items: readonly FilterNode[]): FilterNode | null {
  const [first] = items;
  if (first === undefined) return null;
  return items.length === 1 ? first : { kind, items };
}

/** What a condition says of a record that has null everywhere: true, or not true (false and unknown are the same to a filter). */
const fitsNull = (node: FilterNode): boolean => {
  switch (node.kind) {
    case 'compare': return comparisonFitsNull(node);
    case 'and': return node.items.every(fitsNull);
    case 'or': return node.items.some(fitsNull);
    // Stands above comparisons only, and there null is unknown either way.
    case 'not': return false;
    case 'link': case 'component': return fitsNull(node.filter);
    case 'link-empty': case 'component-empty': return node.empty;
    default: return assertNever(node, 'filter node');
  }
};

const comparisonFitsNull = ({ operator, operand }: CompareNode): boolean =>
  (operator === '$null' && operand === true) || (operator === '$notNull' && operand === false);

/**
 * A condition on what a relation links or a component holds. A record that links or holds nothing compares as one with a record of nulls
 * there, as in an outer join: `author.id $null` finds the articles without author, `links.label $null` those without links.
 */
export function inside(kind: InnerKind, attribute: string, filter: FilterNode): FilterNode {
  const inner: FilterNode = { kind, attribute, filter };
  if (!fitsNull(filter)) return inner;
  return { kind: 'or', items: [inner, { kind: kind === 'link' ? 'link-empty' : 'component-empty', attribute, empty: true }] };
}

/**
 * The opposite of a condition, with `not` only directly above comparisons: groups turn into each other, and what is said of a linked
 * record is said negated of a linked record. So null never fulfils a negated comparison, and a record without author is in neither
 * `author.name $eq x` nor its negation.
 */
export function negate(node: FilterNode): FilterNode {
  switch (node.kind) {
    case 'compare': return negateComparison(node);
    case 'and': return { kind: 'or', items: node.items.map(negate) };
    case 'or': return { kind: 'and', items: node.items.map(negate) };
    case 'not': return node.item;
    case 'link': case 'component': return inside(node.kind, node.attribute, negate(node.filter));
    case 'link-empty': case 'component-empty': return { ...node, empty: !node.empty };
    default: return assertNever(node, 'filter node');
  }
}

const negateComparison = (node: CompareNode): FilterNode => {
  if (node.operator === '$null' || node.operator === '$notNull') return { ...node, operand: node.operand !== true };
  return { kind: 'not', item: node };
};
