import { FIELD_TYPES } from '../fields/registry.js';
import type { Parsed } from '../fields/field-type.js';
import { assertNever } from '../lib/assert-never.js';
import type { StoredScalar } from '../lib/stored-value.js';
import { group } from './filter-nodes.js';
import type { OperatorRule } from './filter-operators.js';
import { OPERATORS } from './filter-operators.js';
import type { ComparableField } from './holder-fields.js';
import type { ComparisonOperator, FilterNode } from './query.js';
import { asList, parseBoolean } from './raw-values.js';
import { refuse } from './read-context.js';

/** Longest text to compare with: a filter holds a search term, not a document. */
const MAX_OPERAND_LENGTH = 8_000;

/** Most values of one $in or $notIn. */
const MAX_OPERANDS = 1_000;

/** A field and an operator, with the client's value for them. */
interface Comparison {
  readonly field: ComparableField;
  readonly operator: string;
  readonly value: unknown;
  /** Of the value in the request. */
  readonly path: string;
}

type Rule = OperatorRule & { readonly name: ComparisonOperator };

const isScalarInput = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Date;

const readOperand = ({ field, path }: Comparison, rule: Rule, value: unknown): Parsed<StoredScalar> => {
  if (!isScalarInput(value)) throw refuse(path, `${rule.name} compares with text, a number or a boolean.`);
  if (typeof value === 'string' && value.length > MAX_OPERAND_LENGTH) throw refuse(path, `the value is longer than ${MAX_OPERAND_LENGTH} characters.`);
  if (rule.operand !== 'text') return field.parse(value);
  return FIELD_TYPES.text.parseFilter(value instanceof Date ? value.toISOString() : value);
};

const parseOperand = (comparison: Comparison, rule: Rule, value: unknown): StoredScalar => {
  const parsed = readOperand(comparison, rule, value);
  if (!parsed.ok) throw refuse(comparison.path, `the value ${parsed.faults.map((fault) => fault.message).join(', ')}.`);
  return parsed.value;
};

const parseList = (comparison: Comparison, rule: Rule): readonly StoredScalar[] => {
  const values = asList(comparison.value) ?? [comparison.value];
  if (values.length > MAX_OPERANDS) throw refuse(comparison.path, `${rule.name} takes at most ${MAX_OPERANDS} values.`);
  // Nothing equals null, so null adds nothing to a list.
  const given = values.filter((value) => value !== null && value !== undefined);
  // As for one id: what can't be one is in no list of them.
  if (comparison.field.name === 'id') return given.map((value) => readOperand(comparison, rule, value)).flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
  return given.map((value) => parseOperand(comparison, rule, value));
};

const parsePair = (comparison: Comparison, rule: Rule): readonly StoredScalar[] => {
  const values = asList(comparison.value);
  if (values?.length !== 2) throw refuse(comparison.path, `${rule.name} takes exactly two values.`);
  return values.map((value) => parseOperand(comparison, rule, value));
};

const parseFlag = (comparison: Comparison, rule: Rule): boolean => {
  const flag = parseBoolean(comparison.value);
  if (flag === null) throw refuse(comparison.path, `${rule.name} takes true or false.`);
  return flag;
};

const compare = ({ field }: Comparison, operator: ComparisonOperator, operand: StoredScalar | readonly StoredScalar[]): FilterNode =>
  ({ kind: 'compare', field: field.name, operator, operand });

/** An id equals nothing that can't be one: text like a document id finds nothing, and is no error. */
const compareId = (comparison: Comparison, rule: Rule, value: unknown): FilterNode => {
  const id = readOperand(comparison, rule, value);
  if (id.ok) return compare(comparison, rule.name, id.value);
  return compare(comparison, rule.name === '$eq' ? '$in' : '$notIn', []);
};

const compareOne = (comparison: Comparison, rule: Rule, value: unknown): FilterNode =>
  comparison.field.name === 'id' && rule.ofNull !== null
    ? compareId(comparison, rule, value)
    : compare(comparison, rule.name, parseOperand(comparison, rule, value));

const parseSingle = (comparison: Comparison, rule: Rule): FilterNode | null => {
  const { value, path } = comparison;
  if (value === null && rule.ofNull !== null) return compare(comparison, rule.ofNull, true);
  const several = asList(value);
  if (several === null) return compareOne(comparison, rule, value);
  if (!rule.anyOf || several.length === 0) throw refuse(path, `${rule.name} takes one value.`);
  if (rule.name === '$eq') return compare(comparison, '$in', parseList(comparison, rule));
  if (several.length > MAX_OPERANDS) throw refuse(path, `${rule.name} takes at most ${MAX_OPERANDS} values.`);
  return group('or', several.map((each) => compareOne(comparison, rule, each)));
};

const ruleFor = ({ field, operator, path }: Comparison): Rule => {
  const written = OPERATORS.get(operator);
  if (written === undefined) throw refuse(path, `there is no such operator for one field; known are ${[...OPERATORS.keys()].join(', ')} and $not.`);
  if (written.ordered && !field.sortable) throw refuse(path, `${field.name} has no order, so ${operator} cannot be used.`);
  const hasCase = field.kind === 'text';
  return (hasCase || written.caseless === null ? undefined : OPERATORS.get(written.caseless)) ?? written;
};

/** One operator on one field, its operand in the field's type. Null where the client's value holds no condition. */
export function parseComparison(comparison: Comparison): FilterNode | null {
  if (comparison.value === undefined) return null;
  const rule = ruleFor(comparison);
  switch (rule.operand) {
    case 'value': case 'text': return parseSingle(comparison, rule);
    case 'list': return compare(comparison, rule.name, parseList(comparison, rule));
    case 'pair': return compare(comparison, rule.name, parsePair(comparison, rule));
    case 'boolean': return compare(comparison, rule.name, parseFlag(comparison, rule));
    default: return assertNever(rule.operand, 'operand');
  }
}
