import type { ComparisonOperator } from './query.js';

/** The properties of an operator. The parser knows nothing else about operators. */
interface OperatorRule {
  /**
   * `value`: one value of the field's type. `text`: one value as text, for any field. `list`, `pair`: values
   * of the field's type. `boolean`: true or false.
   */
  readonly operand: 'value' | 'text' | 'list' | 'pair' | 'boolean';
  /** Requires a field whose values can be ordered. */
  readonly ordered: boolean;
  /**
   * True: several values may be given, and any of them may match. False: refused, because nearly everything
   * would match.
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
