import { findInexactNumber } from '../../lib/exact-json.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { FieldType, ParseResult } from './field-type.js';
import { isJsonValue, findJsonIssue } from './json-value.js';
import { accept, reject } from './parse-result.js';

/** Parses text that contains an object or a list. Other text is the value itself. */
const parseEmbeddedJson = (input: unknown): unknown => {
  if (typeof input !== 'string' || !/^\s*[[{]/.test(input)) return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
};

const parse = (input: unknown): ParseResult<JsonValue> => {
  const value = parseEmbeddedJson(input);
  const inexact = value !== input && typeof input === 'string' ? findInexactNumber(input) : null;
  if (inexact !== null)
    return reject(
      `cannot keep the number ${inexact.literal}: it would be rounded to ${inexact.value}`,
      inexact.path,
    );
  if (isJsonValue(value)) return accept(value);
  const issue = findJsonIssue(value);
  return reject(issue?.message ?? 'must be a JSON value', issue?.path ?? []);
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
  indexable: false,
  typescript: () => ({ output: 'JsonValue', input: 'JsonValue' }),
  // Any value at all.
  jsonSchema: () => ({ output: {}, input: {} }),
  graphql: { output: 'JSON', input: 'JSON', filter: 'JSONFilterInput' },
};
