import type { JsonSchema } from '../../lib/json-schema.js';
import type { FieldSchemas, FieldType, ScalarConstraints, Strictness } from './field-type.js';
import { checkLengths, parseText, parseTextFilter } from './text-value.js';

/** Elsewhere patterns are compiled with the flag `u`, which some cannot be, and with no other flag. */
const patternOf = (regex: RegExp | undefined): JsonSchema => {
  if (regex === undefined || regex.flags.replace('u', '') !== '') return {};
  try {
    return { pattern: new RegExp(regex.source, 'u').source };
  } catch {
    return {};
  }
};

/** Returns the JSON Schemas of text with the limits of its attribute. */
export function describeText(
  { minLength, maxLength, regex }: ScalarConstraints,
  strictness: Strictness,
): FieldSchemas {
  const published = {
    ...(minLength === undefined ? {} : { minLength }),
    ...patternOf(regex),
  };
  const input = {
    type: 'string',
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(strictness === 'draft' ? {} : published),
  };
  return { output: { type: 'string' }, input };
}

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
    jsonSchema: describeText,
    graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
    ...facets,
  };
}
