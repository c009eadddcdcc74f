import type { FieldType, ParseResult } from './field-type.js';
import { accept, reject } from './parse-result.js';

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

const parse = (input: unknown): ParseResult<boolean> => {
  const value = BOOLEAN_INPUTS.get(input);
  return value === undefined ? reject('must be true or false') : accept(value);
};

export const booleanField: FieldType = {
  name: 'boolean',
  column: 'boolean',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  indexable: true,
  typescript: () => ({ output: 'boolean', input: 'boolean' }),
  jsonSchema: () => ({ output: { type: 'boolean' }, input: { type: 'boolean' } }),
  graphql: { output: 'Boolean', input: 'Boolean', filter: 'BooleanFilterInput' },
};
