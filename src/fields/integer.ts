import type { FieldType, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { checkRange, numberJsonSchema, rangeFaults } from './number-value.js';
import { accept, acceptUnless, refuse } from './parsed.js';

const LOWEST = -2_147_483_648;
const HIGHEST = 2_147_483_647;
const DIGITS = /^[+-]?\d{1,32}$/;

const parseFilter = (input: unknown): Parsed<number> => {
  const value = typeof input === 'string' && DIGITS.test(input) ? Number(input) : input;
  if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('must be an integer');
  if (value < LOWEST || value > HIGHEST) return refuse(`must be between ${LOWEST} and ${HIGHEST}`);
  // Negative zero has no JSON form.
  return accept(value + 0);
};

const parse = (input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<number> => {
  const integer = parseFilter(input);
  return integer.ok ? acceptUnless(rangeFaults(integer.value, constraints, strictness), integer.value) : integer;
};

/** A whole number of 32 bits. */
export const integerField: FieldType = {
  name: 'integer',
  column: 'integer',
  options: ['min', 'max'],
  checkOptions: checkRange,
  parse,
  parseFilter,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'number', input: 'number' }),
  graphql: { output: 'Int', input: 'Int', filter: 'IntFilterInput' },
  jsonSchema: (constraints) => numberJsonSchema('integer', constraints),
};
