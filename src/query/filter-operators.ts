import type { ComparisonOperator } from './query.js';

/** What an operator compares with, and how. One row per operator; the parser knows nothing else about them. */
export interface OperatorRule {
  /** `value`: one value of the field's type; `text`: one value as text, whatever the field's type; `list`, `pair`: values of the field's type; `boolean`. */
  readonly operand: 'value' | 'text' | 'list' | 'pair' | 'boolean';
  /** Needs an order of the field's values. */
  readonly ordered: boolean;
  /** Of several values given to an operator that takes one, any may fit. False: that would find nearly everything, so it is refused. */
  readonly anyOf: boolean;
  /** The operator that says the same of null: `$eq` null is `$null`. */
  readonly ofNull: '$null' | '$notNull' | null;
  /** The operator that says the same where letters have no case. */
  readonly caseless: ComparisonOperator | null;
}

const PLAIN: OperatorRule = { operand: 'value', ordered: false, anyOf: true, ofNull: null, caseless: null };
const ORDERED: OperatorRule = { ...PLAIN, ordered: true };
const TEXT: OperatorRule = { ...PLAIN, operand: 'text' };
const NO_TEXT: OperatorRule = { ...TEXT, anyOf: false };
const LIST: OperatorRule = { ...PLAIN, operand: 'list' };
const BOOLEAN: OperatorRule = { ...PLAIN, operand: 'boolean', anyOf: false };

export const OPERATORS: ReadonlyMap<string, OperatorRule & { readonly name: ComparisonOperator }> = new Map(
  Object.entries({
    $eq: { ...PLAIN, ofNull: '$null' },
    $eqi: { ...PLAIN, ofNull: '$null', caseless: '$eq' },
    $ne: { ...PLAIN, anyOf: false, ofNull: '$notNull' },
    $nei: { ...PLAIN, anyOf: false, ofNull: '$notNull', caseless: '$ne' },
    $lt: ORDERED,
    $lte: ORDERED,
    $gt: ORDERED,
    $gte: ORDERED,
    $in: LIST,
    $notIn: LIST,
    $contains: TEXT,
    $notContains: NO_TEXT,
    $containsi: TEXT,
    $notContainsi: NO_TEXT,
    $null: BOOLEAN,
    $notNull: BOOLEAN,
    $between: { ...ORDERED, operand: 'pair' },
    $startsWith: TEXT,
    $startsWithi: TEXT,
    $endsWith: TEXT,
    $endsWithi: TEXT,
  } satisfies Record<ComparisonOperator, OperatorRule>).map(([name, rule]) => [name, { ...rule, name: name as ComparisonOperator }]),
);
