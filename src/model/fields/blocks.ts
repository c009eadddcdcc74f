import type { JsonValue } from '../../lib/stored-value.js';
import { findBlockIssues } from './block-nodes.js';
import { BLOCK_SCHEMAS } from './block-schemas.js';
import type { FieldType, ParseResult } from './field-type.js';
import { isJsonValue, findJsonIssue } from './json-value.js';
import { accept, acceptUnless, reject } from './parse-result.js';

const parse = (input: unknown): ParseResult<JsonValue> => {
  if (!Array.isArray(input)) return reject('must be a list of blocks');
  if (isJsonValue(input)) return acceptUnless(findBlockIssues(input), input);
  const issue = findJsonIssue(input);
  return reject(issue?.message ?? 'must be a JSON value', issue?.path ?? []);
};

const parseFilter = (input: unknown): ParseResult<JsonValue> =>
  isJsonValue(input) ? accept(input) : reject('must be a JSON value');

/** Rich text as a tree of paragraphs, headings, lists, quotes, code and images. */
export const blocksField: FieldType = {
  name: 'blocks',
  column: 'json',
  options: [],
  parse,
  parseFilter,
  filterable: true,
  sortable: false,
  indexable: false,
  typescript: () => ({ output: 'Blocks', input: 'Blocks' }),
  jsonSchema: () => {
    const blocks = { $ref: '#/components/schemas/Blocks' };
    return { output: blocks, input: blocks };
  },
  namedSchemas: BLOCK_SCHEMAS,
  graphql: { output: 'JSON', input: 'JSON', filter: 'JSONFilterInput' },
};
