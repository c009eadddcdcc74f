import type { FieldType } from './field-type.js';
import { checkLengths, parseText, parseTextFilter } from './text-value.js';

/**
 * Returns a field type whose values are text, with length limits and a pattern.
 *
 * @param facets the name of the type, and whatever differs from plain text
 */
export function defineTextField(facets: Pick<FieldType, 'name'> & Partial<FieldType>): FieldType {
  return {
    column: 'text',
    options: ['minLength', 'maxLength', 'regex'],
    checkOptions: checkLengths,
    parse: parseText,
    parseFilter: parseTextFilter,
    filterable: true,
    sortable: true,
    indexable: true,
    searchable: true,
    typescript: () => ({ output: 'string', input: 'string' }),
    graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
    ...facets,
  };
}
