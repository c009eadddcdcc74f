import type { FieldType, ParseResult } from './field-type.js';
import { accept, reject } from './field-type.js';

const BOOLEAN_INPUTS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
]);

/** Query strings may shorten them. */
const BOOLEAN_FILTERS: ReadonlyMap<unknown, boolean> = new Map([
  ...BOOLEAN_INPUTS,
  ['t', true],
  ['f', false],
]);

const parseIn = (values: ReadonlyMap<unknown, boolean>, input: unknown): ParseResult<boolean> => {
  const value = values.get(input);
  return value === undefined ? reject('must be true or false') : accept(value);
};

export const booleanField: FieldType = {
  name: 'boolean',
  column: 'boolean',
  options: [],
  parse: (input) => parseIn(BOOLEAN_INPUTS, input),
  parseFilter: (input) => parseIn(BOOLEAN_FILTERS, input),
  filterable: true,
  sortable: true,
  indexable: true,
  typescript: () => ({ output: 'boolean', input: 'boolean' }),
  jsonSchema: () => ({ output: { type: 'boolean' }, input: { type: 'boolean' } }),
  graphql: { output: 'Boolean', input: 'Boolean', filter: 'BooleanFilterInput' },
};
