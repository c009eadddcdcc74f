import type { JsonValue } from '../lib/stored-value.js';
import type { FieldType, Parsed } from './field-type.js';
import { isJsonValue, jsonFault } from './json-value.js';
import { accept, refuse } from './parsed.js';

/** Text that holds an object or a list stands for it; any other text stays text. */
const unwrap = (input: unknown): unknown => {
  if (typeof input !== 'string' || !/^\s*[[{]/.test(input)) return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
};

const parse = (input: unknown): Parsed<JsonValue> => {
  const value = unwrap(input);
  if (isJsonValue(value)) return accept(value);
  const found = jsonFault(value);
  return refuse(found?.message ?? 'must be a JSON value', found?.path ?? []);
};

/** Any JSON value. */
export const jsonField: FieldType = {
  name: 'json',
  column: 'json',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: false,
  typescript: () => ({ output: 'JsonValue', input: 'JsonValue' }),
  graphql: { output: 'JSON', input: 'JSON', filter: 'JSONFilterInput' },
  jsonSchema: () => ({}),
};
