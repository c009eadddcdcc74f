import type { FieldType, Parsed, ScalarConstraints } from './field-type.js';
import { accept, refuse } from './parsed.js';
import { parseTextFilter } from './text-value.js';

const parse = (input: unknown, constraints: ScalarConstraints): Parsed<string> => {
  const values = constraints.enum ?? [];
  return typeof input === 'string' && values.includes(input) ? accept(input) : refuse(`must be one of ${values.join(', ')}`);
};

const checkOptions = ({ enum: values }: ScalarConstraints): readonly string[] => {
  if (values === undefined || values.length === 0) return ['enum must list at least one value'];
  const twice = values.filter((value, index) => values.indexOf(value) !== index);
  return twice.length === 0 ? [] : [`enum lists ${[...new Set(twice)].join(', ')} more than once`];
};

const typescript = ({ enum: values = [] }: ScalarConstraints): { output: string; input: string } => {
  const union = values.length === 0 ? 'never' : values.map((value) => JSON.stringify(value)).join(' | ');
  return { output: union, input: union };
};

/** One of the values the schema file lists, exactly as written there. */
export const enumerationField: FieldType = {
  name: 'enumeration',
  column: 'text',
  options: ['enum'],
  checkOptions,
  parse,
  parseFilter: parseTextFilter,
  filterable: true,
  sortable: true,
  typescript,
  graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
  jsonSchema: ({ enum: values = [] }) => ({ type: 'string', enum: values }),
};
