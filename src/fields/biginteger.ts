import type { FieldType, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { checkRange, rangeFaults } from './number-value.js';
import { accept, acceptUnless, refuse } from './parsed.js';

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;
const DIGITS = /^[+-]?\d{1,32}$/;

const toBigint = (input: unknown): bigint | string => {
  if (typeof input === 'bigint') return input;
  if (typeof input === 'string' && DIGITS.test(input)) return BigInt(input.startsWith('+') ? input.slice(1) : input);
  if (typeof input !== 'number' || !Number.isInteger(input)) return 'must be an integer, as a number or as a string of digits';
  // A JSON number beyond 2^53 has lost its last digits before it gets here.
  return Number.isSafeInteger(input) ? BigInt(input) : 'must be sent as a string of digits beyond ±9007199254740991';
};

const parseFilter = (input: unknown): Parsed<bigint> => {
  const value = toBigint(input);
  if (typeof value === 'string') return refuse(value);
  return value < LOWEST || value > HIGHEST ? refuse(`must be between ${LOWEST} and ${HIGHEST}`) : accept(value);
};

const parse = (input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<bigint> => {
  const integer = parseFilter(input);
  return integer.ok ? acceptUnless(rangeFaults(integer.value, constraints, strictness), integer.value) : integer;
};

/** A whole number of 64 bits; in JSON a string, so that no digit is lost. */
export const bigintegerField: FieldType = {
  name: 'biginteger',
  column: 'bigint',
  options: ['min', 'max'],
  checkOptions: checkRange,
  parse,
  parseFilter,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string | number' }),
  graphql: { output: 'Long', input: 'Long', filter: 'LongFilterInput' },
  jsonSchema: () => ({ type: 'string', pattern: '^-?[0-9]+$' }),
};
