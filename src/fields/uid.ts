import type { FieldType, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { refuse } from './parsed.js';
import { checkLengths, parseText, parseTextFilter, textJsonSchema } from './text-value.js';

const UID = /^[A-Za-z0-9\-_.~]*$/;

const parse = (input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<string> => {
  const text = parseText(input, constraints, strictness);
  if (!text.ok || strictness === 'draft') return text;
  return UID.test(text.value) ? text : refuse('must hold only letters, digits and - _ . ~');
};

/** A name for URLs, unique per locale and version. Never generated: what is not sent is null. */
export const uidField: FieldType = {
  name: 'uid',
  column: 'text',
  options: ['minLength', 'maxLength', 'regex', 'targetField'],
  checkOptions: checkLengths,
  parse,
  parseFilter: parseTextFilter,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
  jsonSchema: textJsonSchema,
};
