import type { JsonValue } from '../lib/stored-value.js';
import { blockFaults } from './block-nodes.js';
import type { FieldType, Parsed } from './field-type.js';
import { isJsonValue, jsonFault } from './json-value.js';
import { accept, acceptUnless, refuse } from './parsed.js';

const parse = (input: unknown): Parsed<JsonValue> => {
  if (!Array.isArray(input)) return refuse('must be a list of blocks');
  if (isJsonValue(input)) return acceptUnless(blockFaults(input), input);
  const found = jsonFault(input);
  return refuse(found?.message ?? 'must be a JSON value', found?.path ?? []);
};

const parseFilter = (input: unknown): Parsed<JsonValue> => (isJsonValue(input) ? accept(input) : refuse('must be a JSON value'));

/** Rich text as a tree of paragraphs, headings, lists, quotes, code and images. */
export const blocksField: FieldType = {
  name: 'blocks',
  column: 'json',
  options: [],
  parse,
  parseFilter,
  filterable: true,
  sortable: false,
  typescript: () => ({ output: 'Blocks', input: 'Blocks' }),
  graphql: { output: 'JSON', input: 'JSON', filter: 'JSONFilterInput' },
  jsonSchema: () => ({ type: 'array', items: { type: 'object', required: ['type', 'children'], properties: { type: { type: 'string' }, children: { type: 'array' } } } }),
};
