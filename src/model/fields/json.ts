import { findInexactNumber } from '../../lib/json.js';
import { isRecord } from '../../lib/records.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { readMoment } from './date-value.js';
import { accept, createIssue, reject } from './field-type.js';
import type { FieldIssue, FieldType, ParseResult } from './field-type.js';
import { UNSTORABLE_MESSAGE, isStorableText } from './text-value.js';

/** The maximum nesting. Also stops at cyclic values; databases and clients reject far deeper JSON. */
const MAX_DEPTH = 200;

const findLeafIssue = (value: unknown, path: readonly string[]): FieldIssue | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return isStorableText(value) ? null : createIssue(UNSTORABLE_MESSAGE, path);
  return typeof value === 'number' && Number.isFinite(value)
    ? null
    : createIssue('must be a JSON value', path);
};

/** Returns the first part of a value that JSON cannot represent or a database cannot store, or null. */
function findJsonIssue(value: unknown, path: readonly string[] = []): FieldIssue | null {
  if (!Array.isArray(value) && !isRecord(value)) return findLeafIssue(value, path);
  if (path.length >= MAX_DEPTH) return createIssue(`must not be nested deeper than ${MAX_DEPTH} levels`);
  for (const [key, item] of Object.entries(value)) {
    if (!isStorableText(key)) return createIssue(UNSTORABLE_MESSAGE, path);
    const issue = findJsonIssue(item, [...path, key]);
    if (issue !== null) return issue;
  }
  return null;
}

export function isJsonValue(value: unknown): value is JsonValue {
  return findJsonIssue(value) === null;
}

/**
 * Returns a value of code as `JSON.stringify` prints it: dates as text, undefined members omitted. Other
 * values that JSON cannot represent stay.
 */
const toPlain = (value: unknown, depth = 0): unknown => {
  if (value instanceof Date) return readMoment(value)?.toISOString() ?? value;
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value))
    return value.map((item) => (item === undefined ? null : toPlain(item, depth + 1)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, toPlain(member, depth + 1)]),
  );
};

/** Parses a JSON value, which code may pass with dates and undefined members. */
export function parseJsonValue(value: unknown): ParseResult<JsonValue> {
  const plain = isJsonValue(value) ? value : toPlain(value);
  if (isJsonValue(plain)) return accept(plain);
  const issue = findJsonIssue(plain);
  return reject(issue?.message ?? 'must be a JSON value', issue?.path ?? []);
}

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
  return parseJsonValue(value);
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
