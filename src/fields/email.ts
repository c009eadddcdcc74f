import type { FieldType, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { refuse } from './parsed.js';
import { checkLengths, parseText, parseTextFilter, textJsonSchema } from './text-value.js';

/** Longest address that can be delivered to. */
const ADDRESS_LIMIT = 254;

const ADDRESS = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

const isAddress = (text: string): boolean =>
  text.length <= ADDRESS_LIMIT && ADDRESS.test(text) && !text.startsWith('.') && !text.includes('..') && !text.includes('.@');

const parse = (input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<string> => {
  const text = parseText(input, constraints, strictness);
  if (!text.ok || strictness === 'draft') return text;
  return isAddress(text.value) ? text : refuse('must be an email address');
};

/** An email address, kept as it is written. */
export const emailField: FieldType = {
  name: 'email',
  column: 'text',
  options: ['minLength', 'maxLength', 'regex'],
  checkOptions: checkLengths,
  parse,
  parseFilter: parseTextFilter,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
  jsonSchema: (constraints) => ({ ...textJsonSchema(constraints), format: 'email' }),
};
