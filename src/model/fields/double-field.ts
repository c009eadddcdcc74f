import type { FieldType } from './field-type.js';
import { checkRange, describeRange, parseDouble, parseFiniteNumber } from './number-value.js';

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
