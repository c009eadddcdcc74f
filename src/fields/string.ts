import type { FieldType } from './field-type.js';
import { checkLengths, parseText, parseTextFilter, textJsonSchema } from './text-value.js';

/** A line of text. */
export const stringField: FieldType = {
  name: 'string',
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
