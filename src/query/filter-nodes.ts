import { assertNever } from '../lib/assert.js';
import type { CompareNode, ComparisonOperator, FilterNode } from './query.js';

type GroupKind = 'and' | 'or';
type InnerKind = 'link' | 'component';

/** Joins conditions. Returns null for none, and a single condition unchanged. */
export function joinNodes(kind: GroupKind, items: readonly FilterNode[]): FilterNode | null {
  const [first] = items;
  if (first === undefined) return null;
  return items.length === 1 ? first : { kind, items };
}

/** True if a condition is true for a record whose fields are all null. */
const matchesNull = (node: FilterNode): boolean => {
  switch (node.kind) {
    case 'compare':
      return comparisonMatchesNull(node);
    case 'and':
      return node.items.every(matchesNull);
    case 'or':
      return node.items.some(matchesNull);
    // Only occurs above comparisons, which are unknown for null, and so is their negation.
    case 'not':
      return false;
    case 'link':
    case 'component':
      return matchesNull(node.filter);
    case 'link-empty':
    case 'component-empty':
      return node.empty;
    default:
      return assertNever(node, 'filter node');
  }
};

const comparisonMatchesNull = ({ operator, operand }: CompareNode): boolean =>
  (operator === '$null' && operand === true) || (operator === '$notNull' && operand === false);

/**
 * Returns a condition on the target of a relation or component. As in an outer join, a missing target counts
 * as a record of nulls: `author.id $null` finds the articles without author, `links.label $null` those
 * without links.
 */
export function createNestedNode(kind: InnerKind, attribute: string, filter: FilterNode): FilterNode {
  const inner: FilterNode = { kind, attribute, filter };
  if (!matchesNull(filter)) return inner;
  return {
    kind: 'or',
    items: [inner, { kind: kind === 'link' ? 'link-empty' : 'component-empty', attribute, empty: true }],
  };
}

/**
 * Negates a condition. `not` is only put directly above comparisons: `and` and `or` are swapped, and
 * conditions on linked records stay conditions on linked records. So null never matches a negated comparison,
 * and a record without author matches neither `author.name $eq x` nor its negation.
 */
export function negate(node: FilterNode): FilterNode {
  switch (node.kind) {
    case 'compare':
      return negateComparison(node);
    case 'and':
      return { kind: 'or', items: node.items.map(negate) };
    case 'or':
      return { kind: 'and', items: node.items.map(negate) };
    case 'not':
      return node.item;
    case 'link':
    case 'component':
      return createNestedNode(node.kind, node.attribute, negate(node.filter));
    case 'link-empty':
    case 'component-empty':
      return { ...node, empty: !node.empty };
    default:
      return assertNever(node, 'filter node');
  }
}

const negateComparison = (node: CompareNode): FilterNode => {
  if (node.operator === '$null' || node.operator === '$notNull')
    return { ...node, operand: node.operand !== true };
  return { kind: 'not', item: node };
};

/** The properties of an operator. The parser uses no other knowledge of operators. */
interface OperatorRule {
  /**
   * `value`: one value of the field's type. `text`: one value as text, for any field. `list`, `pair`: values
   * of the field's type. `boolean`: true or false.
   */
  readonly operand: 'value' | 'text' | 'list' | 'pair' | 'boolean';
  /** Requires a field whose values can be ordered. */
  readonly ordered: boolean;
  /**
   * True: several values may be given, and any of them may match. False: rejected, because nearly every
   * record would match.
   */
  readonly anyOf: boolean;
  /** The operator to use for the operand null: `$null` for `$eq`. */
  readonly nullOperator: '$null' | '$notNull' | null;
  /** The operator to use for fields without letter case. */
  readonly caseSensitive: ComparisonOperator | null;
}

const PLAIN: OperatorRule = {
  operand: 'value',
  ordered: false,
  anyOf: true,
  nullOperator: null,
  caseSensitive: null,
};
const ORDERED: OperatorRule = { ...PLAIN, ordered: true };
const TEXT: OperatorRule = { ...PLAIN, operand: 'text' };
const NEGATED_TEXT: OperatorRule = { ...TEXT, anyOf: false };
const LIST: OperatorRule = { ...PLAIN, operand: 'list' };
const BOOLEAN: OperatorRule = { ...PLAIN, operand: 'boolean', anyOf: false };

/** The rule of one operator, with the operator's name. */
export interface NamedOperatorRule extends OperatorRule {
  readonly name: ComparisonOperator;
}

/** The rules of all operators, by their names. */
export const OPERATORS: ReadonlyMap<string, NamedOperatorRule> = new Map(
  Object.entries({
    $eq: { ...PLAIN, nullOperator: '$null' },
    $eqi: { ...PLAIN, nullOperator: '$null', caseSensitive: '$eq' },
    $ne: { ...PLAIN, anyOf: false, nullOperator: '$notNull' },
    $nei: { ...PLAIN, anyOf: false, nullOperator: '$notNull', caseSensitive: '$ne' },
    $lt: ORDERED,
    $lte: ORDERED,
    $gt: ORDERED,
    $gte: ORDERED,
    $in: LIST,
    $notIn: LIST,
    $contains: TEXT,
    $notContains: NEGATED_TEXT,
    $containsi: TEXT,
    $notContainsi: NEGATED_TEXT,
    $null: BOOLEAN,
    $notNull: BOOLEAN,
    $between: { ...ORDERED, operand: 'pair' },
    $startsWith: TEXT,
    $startsWithi: TEXT,
    $endsWith: TEXT,
    $endsWithi: TEXT,
  } satisfies Record<ComparisonOperator, OperatorRule>).map(([name, rule]) => [
    name,
    { ...rule, name: name as ComparisonOperator },
  ]),
);
