import type { FieldType } from './field-type.js';
import { checkRange, numberJsonSchema, parseDouble, parseFiniteNumber } from './number-value.js';

/** A number in double precision, which is all that JSON carries. */
export const decimalField: FieldType = {
  name: 'decimal',
  column: 'double',
  options: ['min', 'max'],
  checkOptions: checkRange,
  parse: parseDouble,
  parseFilter: parseFiniteNumber,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'number', input: 'number' }),
  graphql: { output: 'Float', input: 'Float', filter: 'FloatFilterInput' },
  jsonSchema: (constraints) => numberJsonSchema('number', constraints),
};
