import type { FieldType } from './field-type.js';
import { checkLengths, parseText, parseTextFilter, textJsonSchema } from './text-value.js';

/** Several lines of text. */
export const textField: FieldType = {
  name: 'text',
  column: 'text',
  options: ['minLength', 'maxLength', 'regex'],
  checkOptions: checkLengths,
  parse: parseText,
  parseFilter: parseTextFilter,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
  jsonSchema: textJsonSchema,
};
