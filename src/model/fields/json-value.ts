import { isRecord } from '../../lib/is-record.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { FieldIssue } from './field-type.js';
import { createIssue } from './parse-result.js';
import { isStorableText, UNSTORABLE_MESSAGE } from './text-value.js';

/** The maximum nesting. Also stops at cyclic values; databases and clients refuse far deeper JSON. */
const MAX_DEPTH = 200;

const findLeafIssue = (value: unknown, path: readonly string[]): FieldIssue | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return isStorableText(value) ? null : createIssue(UNSTORABLE_MESSAGE, path);
  return typeof value === 'number' && Number.isFinite(value)
    ? null
    : createIssue('must be a JSON value', path);
};

/** Returns the first part of a value that JSON cannot represent or a database cannot store, or null. */
export function findJsonIssue(value: unknown, path: readonly string[] = []): FieldIssue | null {
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
