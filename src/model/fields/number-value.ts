import { isExactNumber } from '../../lib/json.js';
import type { JsonSchema } from '../../lib/json.js';
import { accept, acceptUnless, createIssue, reject } from './field-type.js';
import type { FieldIssue, FieldType, ParseResult, ScalarConstraints, Strictness } from './field-type.js';

/** The types of attributes whose values are numbers. */
export const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'biginteger', 'float', 'decimal']);

const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The exact decimal form of a double has at most about 1100 characters. */
const MAX_TEXT_LENGTH = 1100;

/** The database client rounds the last digits of huge numbers, which must not overflow. */
const MAX_DOUBLE = 1e308;

/** Parses a finite number, or its text in decimal notation. */
function parseFiniteNumber(input: unknown): ParseResult<number> {
  const value =
    typeof input === 'string' && input.length <= MAX_TEXT_LENGTH && DECIMAL_TEXT.test(input)
      ? Number(input)
      : input;
  if (typeof value !== 'number' || !Number.isFinite(value)) return reject('must be a number');
  // Adding 0 turns negative zero, which JSON cannot represent, into zero.
  return accept(value + 0);
}

/** Checks `min` and `max`. A draft may be below the minimum. */
function rangeIssues<T extends number | bigint>(
  value: T,
  constraints: ScalarConstraints,
  strictness: Strictness,
): readonly FieldIssue[] {
  const { min, max } = constraints;
  const issues: FieldIssue[] = [];
  if (max !== undefined && typeof max !== 'string' && value > max)
    issues.push(createIssue(`must be at most ${max}`));
  if (strictness === 'full' && min !== undefined && typeof min !== 'string' && value < min)
    issues.push(createIssue(`must be at least ${min}`));
  return issues;
}

/** Returns a parser that accepts numbers of `parseNumber` that are within `min` and `max`. */
export function withinRange<T extends number | bigint>(
  parseNumber: (input: unknown) => ParseResult<T>,
): (input: unknown, constraints: ScalarConstraints, strictness: Strictness) => ParseResult<T> {
  return (input, constraints, strictness) => {
    const number = parseNumber(input);
    return number.ok
      ? acceptUnless(rangeIssues(number.value, constraints, strictness), number.value)
      : number;
  };
}

function parseDouble(
  input: unknown,
  constraints: ScalarConstraints,
  strictness: Strictness,
): ParseResult<number> {
  const number = parseFiniteNumber(input);
  if (number.ok && typeof input === 'string' && !isExactNumber(input))
    return reject(`cannot be kept exactly: it would be rounded to ${number.value}`);
  if (number.ok && Math.abs(number.value) > MAX_DOUBLE) return reject('must be between -1e308 and 1e308');
  return number.ok ? acceptUnless(rangeIssues(number.value, constraints, strictness), number.value) : number;
}

export function checkRange({ min, max }: ScalarConstraints): readonly string[] {
  return min !== undefined && max !== undefined && min > max ? [`min ${min} is above max ${max}`] : [];
}

/** Returns the bounds of an attribute for its JSON Schema, but for those beyond the precision of numbers. */
export function describeRange({ min, max }: ScalarConstraints, strictness: Strictness): JsonSchema {
  const bound = (name: string, value: ScalarConstraints['min']): JsonSchema =>
    (typeof value === 'number' || typeof value === 'bigint') &&
    Number.isSafeInteger(Math.trunc(Number(value)))
      ? { [name]: Number(value) }
      : {};
  return { ...(strictness === 'draft' ? {} : bound('minimum', min)), ...bound('maximum', max) };
}

/** Returns a field type whose values are numbers in double precision, the precision of JSON numbers. */
export function defineDoubleField(name: 'decimal' | 'float'): FieldType {
  return {
    name,
    column: 'double',
    options: ['min', 'max'],
    checkOptions: checkRange,
    parse: parseDouble,
    parseFilter: parseFiniteNumber,
    filterable: true,
    sortable: true,
    indexable: true,
    typescript: () => ({ output: 'number', input: 'number' }),
    jsonSchema: (constraints, strictness) => {
      const output = { type: 'number', format: 'double' };
      return { output, input: { ...output, ...describeRange(constraints, strictness) } };
    },
    graphql: { output: 'Float', input: 'Float', filter: 'FloatFilterInput' },
  };
}
