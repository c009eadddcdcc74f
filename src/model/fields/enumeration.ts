import type { ParseResult, ScalarConstraints } from './field-type.js';
import { accept, reject } from './field-type.js';
import { defineTextField } from './text-value.js';

const parse = (input: unknown, constraints: ScalarConstraints): ParseResult<string> => {
  const values = constraints.enum ?? [];
  const text = typeof input === 'number' || typeof input === 'boolean' ? String(input) : input;
  return typeof text === 'string' && values.includes(text)
    ? accept(text)
    : reject(`must be one of ${values.join(', ')}`);
};

const checkOptions = ({ enum: values }: ScalarConstraints): readonly string[] => {
  if (values === undefined || values.length === 0) return ['enum must list at least one value'];
  const duplicates = values.filter((value, index) => values.indexOf(value) !== index);
  return duplicates.length === 0 ? [] : [`enum lists ${[...new Set(duplicates)].join(', ')} more than once`];
};

const typescript = ({ enum: values = [] }: ScalarConstraints): { output: string; input: string } => {
  const union = values.length === 0 ? 'never' : values.map((value) => JSON.stringify(value)).join(' | ');
  return { output: union, input: union };
};

/** One of the values that the schema file lists, exactly as written there. */
export const enumerationField = defineTextField({
  name: 'enumeration',
  searchable: false,
  options: ['enum'],
  checkOptions,
  parse,
  typescript,
  jsonSchema: ({ enum: values = [] }) => {
    const schema = { type: 'string', enum: values };
    return { output: schema, input: schema };
  },
});
