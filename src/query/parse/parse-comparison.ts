import { MIN_INT32 } from '../../model/fields/integer.js';
import { FIELD_TYPES } from '../../model/fields/registry.js';
import type { ParseResult } from '../../model/fields/field-type.js';
import { assertNever, defined } from '../../lib/assert.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import { OPERATORS, joinNodes } from '../filter-nodes.js';
import type { NamedOperatorRule } from '../filter-nodes.js';
import type { ComparableField } from '../schema-fields.js';
import type { ComparisonOperator, FilterNode } from '../query.js';
import { asList, castBoolean, bracketPath, invalidParameter, undefinedCondition } from '../read-context.js';

/** The maximum length of text in a filter, which is a search term and not a document. */
const MAX_OPERAND_LENGTH = 8_000;

/** The maximum number of values in $in and $notIn. */
const MAX_OPERANDS = 1_000;

/** A comparison in a request. */
interface Comparison {
  readonly field: ComparableField;
  /** One of {@link OPERATORS}. */
  readonly operator: string;
  readonly value: unknown;
  /** The path of the value in the request. */
  readonly path: string;
}

const isScalarInput = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  typeof value === 'bigint' ||
  value instanceof Date;

const tryParseOperand = (
  { field, path }: Comparison,
  rule: NamedOperatorRule,
  value: unknown,
): ParseResult<StoredScalar> => {
  if (!isScalarInput(value))
    throw invalidParameter(path, `${rule.name} compares with text, a number or a boolean.`);
  if (typeof value === 'string' && value.length > MAX_OPERAND_LENGTH)
    throw invalidParameter(path, `the value is longer than ${MAX_OPERAND_LENGTH} characters.`);
  if (rule.operand !== 'text') return field.parse(value);
  return FIELD_TYPES.text.parseFilter(value instanceof Date ? value.toISOString() : value);
};

const parseOperand = (comparison: Comparison, rule: NamedOperatorRule, value: unknown): StoredScalar => {
  const parsed = tryParseOperand(comparison, rule, value);
  if (!parsed.ok)
    throw invalidParameter(
      comparison.path,
      `the value ${parsed.issues.map((issue) => issue.message).join(', ')}.`,
    );
  return parsed.value;
};

/** True if text is a number, as numeric ids are. */
export function isIdText(text: string): boolean {
  return /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text);
}

/** The field for the value of a comparison with an id: `filters[tags][documentId]`. */
const documentIdPath = (path: string): string => {
  const names = path.split('.');
  const field = names.slice(0, names.findLastIndex((name) => !name.startsWith('$')) + 1);
  return bracketPath([...(field.at(-1) === 'id' ? field.slice(0, -1) : field), 'documentId'].join('.'));
};

/** Parses an id. Text that is not a number, such as a documentId, is rejected: it would match nothing. */
const tryParseId = (
  comparison: Comparison,
  rule: NamedOperatorRule,
  value: unknown,
): ParseResult<StoredScalar> => {
  const { field, path } = comparison;
  if (typeof value !== 'string' || isIdText(value)) return tryParseOperand(comparison, rule, value);
  throw invalidParameter(
    path,
    field.isOfDocument === true
      ? `it compares the numeric id. For a documentId write ${documentIdPath(path)}.`
      : 'it compares the numeric id.',
  );
};

const compare = (
  { field }: Comparison,
  operator: ComparisonOperator,
  operand: StoredScalar | readonly StoredScalar[],
): FilterNode => ({ kind: 'compare', field: field.name, operator, operand });

/**
 * Returns the number that an integer field is compared with and cannot have, such as 12.5 or 3e9. Null: it
 * can have the value, or the value is not a number.
 */
const unstorableNumber = ({ field }: Comparison, value: unknown): number | null => {
  if (field.kind !== 'integer' || field.parse(value).ok) return null;
  const number = FIELD_TYPES.decimal.parseFilter(value);
  return number.ok && typeof number.value === 'number' ? number.value : null;
};

const LOWER_BOUNDS: readonly ComparisonOperator[] = ['$gt', '$gte'];
const UPPER_BOUNDS: readonly ComparisonOperator[] = ['$lt', '$lte'];

/** Returns a condition that all or no integers meet. Null meets neither it nor its negation. */
const compareAll = (comparison: Comparison, isMet: boolean): FilterNode =>
  compare(comparison, isMet ? '$gte' : '$lt', MIN_INT32);

/**
 * Compares an integer field with a number that it cannot have: no value equals the number, and the nearest
 * integer bounds those above or below. The text `1e3` is a number that it can have.
 */
const compareNumber = (comparison: Comparison, { name }: NamedOperatorRule, number: number): FilterNode => {
  const { field } = comparison;
  const exact = field.parse(number);
  if (exact.ok) return compare(comparison, name, exact.value);
  const isUpper = UPPER_BOUNDS.includes(name);
  if (!isUpper && !LOWER_BOUNDS.includes(name))
    return compareAll(comparison, name === '$ne' || name === '$nei');
  const bound = field.parse(isUpper ? Math.floor(number) : Math.ceil(number));
  if (bound.ok) return compare(comparison, isUpper ? '$lte' : '$gte', bound.value);
  return compareAll(comparison, isUpper === number > 0);
};

const parseList = (comparison: Comparison, rule: NamedOperatorRule): readonly StoredScalar[] => {
  const values = asList(comparison.value) ?? [comparison.value];
  if (values.length > MAX_OPERANDS)
    throw invalidParameter(comparison.path, `${rule.name} takes at most ${MAX_OPERANDS} values.`);
  // No value equals null, so null can be omitted.
  const nonNullValues = values.filter((value) => value !== null);
  // Numbers that cannot be ids match nothing.
  if (comparison.field.name === 'id')
    return nonNullValues
      .map((value) => tryParseId(comparison, rule, value))
      .flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
  return nonNullValues.flatMap((value) => {
    const number = unstorableNumber(comparison, value);
    if (number === null) return [parseOperand(comparison, rule, value)];
    const exact = comparison.field.parse(number);
    return exact.ok ? [exact.value] : [];
  });
};

const compareList = (
  comparison: Comparison,
  rule: NamedOperatorRule,
  operator: '$in' | '$notIn',
): FilterNode => {
  const operands = parseList(comparison, rule);
  const values = asList(comparison.value) ?? [comparison.value];
  const areUnstorable =
    operands.length === 0 && values.some((value) => value !== null) && comparison.field.name !== 'id';
  return areUnstorable
    ? compareAll(comparison, operator === '$notIn')
    : compare(comparison, operator, operands);
};

const parsePair = (comparison: Comparison, rule: NamedOperatorRule): FilterNode | null => {
  const values = asList(comparison.value);
  if (values?.length !== 2) throw invalidParameter(comparison.path, `${rule.name} takes exactly two values.`);
  if (values.every((value) => unstorableNumber(comparison, value) === null))
    return compare(
      comparison,
      rule.name,
      values.map((value) => parseOperand(comparison, rule, value)),
    );
  const bounds = ['$gte', '$lte'].map((operator) => ruleFor({ ...comparison, operator }));
  return joinNodes(
    'and',
    bounds.map((bound, index) => compareOne(comparison, bound, values[index])),
  );
};

/** Compares an id. A number that cannot be an id matches nothing and is not an error. */
const compareId = (comparison: Comparison, rule: NamedOperatorRule, value: unknown): FilterNode => {
  const id = tryParseId(comparison, rule, value);
  if (id.ok) return compare(comparison, rule.name, id.value);
  return compare(comparison, rule.name === '$eq' ? '$in' : '$notIn', []);
};

const compareOne = (comparison: Comparison, rule: NamedOperatorRule, value: unknown): FilterNode => {
  if (comparison.field.name === 'id' && rule.nullOperator !== null) return compareId(comparison, rule, value);
  const number = rule.operand === 'text' ? null : unstorableNumber(comparison, value);
  return number === null
    ? compare(comparison, rule.name, parseOperand(comparison, rule, value))
    : compareNumber(comparison, rule, number);
};

const parseSingle = (comparison: Comparison, rule: NamedOperatorRule): FilterNode | null => {
  const { value, path } = comparison;
  if (value === null && rule.nullOperator !== null) return compare(comparison, rule.nullOperator, true);
  const values = asList(value);
  if (values === null) return compareOne(comparison, rule, value);
  if (!rule.anyOf || values.length === 0) throw invalidParameter(path, `${rule.name} takes one value.`);
  if (rule.name === '$eq') return compareList(comparison, rule, '$in');
  if (values.length > MAX_OPERANDS)
    throw invalidParameter(path, `${rule.name} takes at most ${MAX_OPERANDS} values.`);
  return joinNodes(
    'or',
    values.map((item) => compareOne(comparison, rule, item)),
  );
};

const ruleFor = ({ field, operator, path }: Comparison): NamedOperatorRule => {
  const operatorRule = defined(OPERATORS.get(operator), 'The operator of a comparison');
  if (operatorRule.ordered && !field.sortable)
    throw invalidParameter(path, `values of ${field.name} have no order, so ${operator} cannot be used.`);
  const hasCase = field.kind === 'text';
  return (
    (hasCase || operatorRule.caseSensitive === null
      ? undefined
      : OPERATORS.get(operatorRule.caseSensitive)) ?? operatorRule
  );
};

/**
 * Parses one operator on one field. Returns null if it holds for every record.
 *
 * @throws `project/undefined-condition`, `request/invalid-parameter`
 */
export function parseComparison(comparison: Comparison): FilterNode | null {
  const { value, path } = comparison;
  if (value === undefined || asList(value)?.includes(undefined) === true) throw undefinedCondition(path);
  const rule = ruleFor(comparison);
  switch (rule.operand) {
    case 'value':
    case 'text':
      return parseSingle(comparison, rule);
    case 'list':
      return compareList(comparison, rule, rule.name === '$in' ? '$in' : '$notIn');
    case 'pair':
      return parsePair(comparison, rule);
    case 'boolean':
      return compare(comparison, rule.name, castBoolean(comparison.value));
    default:
      return assertNever(rule.operand, 'operand');
  }
}
