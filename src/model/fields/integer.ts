import type { FieldType, ParseResult } from './field-type.js';
import { checkRange, describeRange, withinRange } from './number-value.js';
import { accept, reject } from './field-type.js';

export const MIN_INT32 = -2_147_483_648;
const MAX_INT32 = 2_147_483_647;
const DIGITS = /^[+-]?\d{1,32}$/;

const parseFilter = (input: unknown): ParseResult<number> => {
  const value = typeof input === 'string' && DIGITS.test(input) ? Number(input) : input;
  if (typeof value !== 'number' || !Number.isInteger(value)) return reject('must be an integer');
  if (value < MIN_INT32 || value > MAX_INT32) return reject(`must be between ${MIN_INT32} and ${MAX_INT32}`);
  // Adding 0 turns negative zero, which JSON cannot represent, into zero.
  return accept(value + 0);
};

/** A 32-bit integer. */
export const integerField: FieldType = {
  name: 'integer',
  column: 'integer',
  options: ['min', 'max'],
  checkOptions: checkRange,
  parse: withinRange(parseFilter),
  parseFilter,
  filterable: true,
  sortable: true,
  indexable: true,
  typescript: () => ({ output: 'number', input: 'number' }),
  jsonSchema: (constraints, strictness) => {
    const output = { type: 'integer', format: 'int32' };
    return { output, input: { ...output, ...describeRange(constraints, strictness) } };
  },
  graphql: { output: 'Int', input: 'Int', filter: 'IntFilterInput' },
};
