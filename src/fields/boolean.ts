import type { FieldType, Parsed } from './field-type.js';
import { accept, refuse } from './parsed.js';

const FORMS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true], ['true', true], [1, true], ['1', true],
  [false, false], ['false', false], [0, false], ['0', false],
]);

const parse = (input: unknown): Parsed<boolean> => {
  const value = FORMS.get(input);
  return value === undefined ? refuse('must be true or false') : accept(value);
};

export const booleanField: FieldType = {
  name: 'boolean',
  column: 'boolean',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'boolean', input: 'boolean' }),
  graphql: { output: 'Boolean', input: 'Boolean', filter: 'BooleanFilterInput' },
  jsonSchema: () => ({ type: 'boolean' }),
};
