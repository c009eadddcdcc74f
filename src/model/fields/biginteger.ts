import { MAX_INT64, MIN_INT64 } from '../../lib/stored-value.js';
import type { FieldType, ParseResult } from './field-type.js';
import { checkRange, describeRange, withinRange } from './number-value.js';
import { accept, reject } from './field-type.js';

const DIGITS = /^[+-]?\d{1,32}$/;

const toBigint = (input: unknown): bigint | string => {
  if (typeof input === 'bigint') return input;
  if (typeof input === 'string' && DIGITS.test(input))
    return BigInt(input.startsWith('+') ? input.slice(1) : input);
  if (typeof input !== 'number' || !Number.isInteger(input))
    return 'must be an integer, as a number or as a string of digits';
  // JSON.parse has already rounded numbers beyond 2^53.
  return Number.isSafeInteger(input)
    ? BigInt(input)
    : 'must be sent as a string of digits beyond ±9007199254740991';
};

const parseFilter = (input: unknown): ParseResult<bigint> => {
  const value = toBigint(input);
  if (typeof value === 'string') return reject(value);
  return value < MIN_INT64 || value > MAX_INT64
    ? reject(`must be between ${MIN_INT64} and ${MAX_INT64}`)
    : accept(value);
};

/** A 64-bit integer. In JSON a string, because JavaScript numbers would lose digits. */
export const bigintegerField: FieldType = {
  name: 'biginteger',
  column: 'bigint',
  options: ['min', 'max'],
  checkOptions: checkRange,
  parse: withinRange(parseFilter),
  parseFilter,
  filterable: true,
  sortable: true,
  indexable: true,
  typescript: () => ({ output: 'string', input: 'string | number' }),
  jsonSchema: (constraints, strictness) => {
    const output = { type: 'string', pattern: '^-?[0-9]+$' };
    const input = {
      type: ['string', 'integer'],
      pattern: '^[+-]?[0-9]{1,32}$',
      ...describeRange(constraints, strictness),
    };
    return { output, input };
  },
  graphql: { output: 'Long', input: 'Long', filter: 'LongFilterInput' },
};
