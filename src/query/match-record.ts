import { textForm } from '../lib/stored-value.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import { foldText } from '../lib/text.js';
import type { ContentSchema } from '../model/model.js';
import type { CompareNode, ComparisonOperator, FilterNode, SortNode } from './query.js';
import { comparableField } from './schema-fields.js';

/** A value of a record that is not null, and the node it is compared by. */
interface Comparison {
  readonly kind: ColumnKind;
  readonly value: StoredScalar;
  readonly operand: CompareNode['operand'];
}

type Predicate = (comparison: Comparison) => boolean;

/**
 * The form in which two values of a kind compare: times in milliseconds, JSON as text, its strings without
 * quotes.
 */
const toComparable = (kind: ColumnKind, value: StoredScalar): string | number | bigint => {
  switch (kind) {
    case 'text':
    case 'json':
      return textForm(value);
    case 'integer':
    case 'double':
      return typeof value === 'bigint' ? value : Number(value);
    case 'bigint':
      return typeof value === 'string' ? BigInt(value) : toComparable('integer', value);
    case 'boolean':
      return Number(value === true);
    case 'datetime':
      return value instanceof Date ? value.getTime() : Date.parse(textForm(value));
    default:
      return kind satisfies never;
  }
};

/**
 * Orders two values of a kind as the databases do: text by code point, numbers by size, even numbers that are
 * stored as text.
 *
 * @returns a negative number, 0 or a positive number
 */
function compareValues(kind: ColumnKind, first: StoredScalar, second: StoredScalar): number {
  const [left, right] = [toComparable(kind, first), toComparable(kind, second)];
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** A value as the API prints it, for the operators that search in text. */
const toText = ({ value }: Comparison): string => textForm(value);

const isList = (operand: CompareNode['operand']): operand is readonly StoredScalar[] =>
  Array.isArray(operand);

/** The operand of an operator with one value. A JSON value may be a list. */
const singleOperand = ({ kind, operand }: Comparison): StoredScalar => {
  if (kind !== 'json' && isList(operand)) throw new TypeError('The operator takes one value, not a list');
  return operand as StoredScalar;
};

const listOperand = ({ operand }: Comparison): readonly StoredScalar[] => {
  if (!isList(operand)) throw new TypeError('The operator takes a list of values');
  return operand;
};

const ordered =
  (test: (order: number) => boolean): Predicate =>
  (comparison) =>
    test(compareValues(comparison.kind, comparison.value, singleOperand(comparison)));

const searched =
  (test: (text: string, operand: string) => boolean): Predicate =>
  (comparison) =>
    test(toText(comparison), textForm(singleOperand(comparison)));

const folded = (test: (text: string, operand: string) => boolean): Predicate =>
  searched((text, operand) => test(foldText(text), foldText(operand)));

const negated =
  (predicate: Predicate): Predicate =>
  (comparison) =>
    !predicate(comparison);

const inList: Predicate = (comparison) =>
  listOperand(comparison).some((item) => compareValues(comparison.kind, comparison.value, item) === 0);

const between: Predicate = (comparison) => {
  const [least, greatest] = listOperand(comparison);
  if (least === undefined || greatest === undefined) throw new TypeError('$between takes two values');
  const { kind, value } = comparison;
  return compareValues(kind, value, least) >= 0 && compareValues(kind, value, greatest) <= 0;
};

const equals = (text: string, operand: string): boolean => text === operand;
const contains = (text: string, operand: string): boolean => text.includes(operand);
const startsWith = (text: string, operand: string): boolean => text.startsWith(operand);
const endsWith = (text: string, operand: string): boolean => text.endsWith(operand);

/** Predicate of each operator for a value that is not null, as in `sql/operators.ts`. */
const PREDICATES: Readonly<Record<ComparisonOperator, Predicate>> = {
  $eq: ordered((order) => order === 0),
  $ne: ordered((order) => order !== 0),
  $eqi: folded(equals),
  $nei: negated(folded(equals)),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $in: inList,
  $notIn: negated(inList),
  $between: between,
  $contains: searched(contains),
  $notContains: negated(searched(contains)),
  $containsi: folded(contains),
  $notContainsi: negated(folded(contains)),
  $startsWith: searched(startsWith),
  $startsWithi: folded(startsWith),
  $endsWith: searched(endsWith),
  $endsWithi: folded(endsWith),
  $null: ({ operand }) => operand === false,
  $notNull: ({ operand }) => operand === true,
};

/**
 * True if a value of that kind meets a comparison, by the rules of the databases.
 *
 * @returns null if the value is null and the operator does not test for null
 */
function matchesComparison(
  kind: ColumnKind,
  value: StoredScalar,
  { operator, operand }: CompareNode,
): boolean | null {
  if (value !== null) return PREDICATES[operator]({ kind, value, operand });
  if (operator === '$null') return operand === true;
  return operator === '$notNull' ? operand === false : null;
}

/** A record that is not stored in a database, in the form the API prints. Missing keys are null. */
export type InMemoryRecord = Readonly<Record<string, StoredScalar>>;

const kindOf = (schema: ContentSchema, name: string): ColumnKind => {
  const field = comparableField(schema, name);
  if (field === null) throw new TypeError(`${schema.uid} has no field ${name}`);
  return field.kind;
};

/** Null means unknown: it makes a group unknown unless another item decides it. */
const everyTrue = (items: readonly (boolean | null)[]): boolean | null => {
  if (items.includes(false)) return false;
  return items.includes(null) ? null : true;
};

const negate = (value: boolean | null): boolean | null => (value === null ? null : !value);

const evaluate = (schema: ContentSchema, node: FilterNode, record: InMemoryRecord): boolean | null => {
  switch (node.kind) {
    case 'compare':
      return matchesComparison(kindOf(schema, node.field), record[node.field] ?? null, node);
    case 'and':
      return everyTrue(node.items.map((item) => evaluate(schema, item, record)));
    case 'or':
      return negate(everyTrue(node.items.map((item) => negate(evaluate(schema, item, record)))));
    case 'not':
      return negate(evaluate(schema, node.item, record));
    default:
      throw new TypeError(`${schema.uid} has no relations or components: ${node.attribute}`);
  }
};

/**
 * True if a record matches a filter on its fields, not on those of relations. Only for records that are not
 * stored in a database; the meaning is that of the same filter in SQL.
 */
export function matchesFilter(schema: ContentSchema, node: FilterNode, record: InMemoryRecord): boolean {
  return evaluate(schema, node, record) === true;
}

const compareNullable = (kind: ColumnKind, left: StoredScalar, right: StoredScalar): number =>
  left === null || right === null
    ? Number(left !== null) - Number(right !== null)
    : compareValues(kind, left, right);

/** Returns a function for `toSorted` that orders records by their fields; null is lowest, as in SQL. */
export function createRecordOrder(
  schema: ContentSchema,
  sort: readonly SortNode[],
): (left: InMemoryRecord, right: InMemoryRecord) => number {
  const keys = sort.map(({ path: [name, ...rest], direction }) => {
    if (name === undefined || rest.length > 0)
      throw new TypeError(`${schema.uid} can be sorted by its fields only`);
    return { name, kind: kindOf(schema, name), sign: direction === 'desc' ? -1 : 1 };
  });
  return (left, right) => {
    for (const { name, kind, sign } of keys) {
      const order = compareNullable(kind, left[name] ?? null, right[name] ?? null);
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}
