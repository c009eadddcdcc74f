import { isRecord } from '../lib/is-record.js';
import type { JsonValue } from '../lib/stored-value.js';
import type { FieldFault } from './field-type.js';
import { fault } from './parsed.js';
import { isStorableText, UNSTORABLE_MESSAGE } from './text-value.js';

/** Deepest nesting that is stored; databases and clients refuse far deeper JSON, and so would a cycle never end. */
export const DEPTH_LIMIT = 200;

const leafFault = (value: unknown, path: readonly string[]): FieldFault | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return isStorableText(value) ? null : fault(UNSTORABLE_MESSAGE, path);
  return typeof value === 'number' && Number.isFinite(value) ? null : fault('must be a JSON value', path);
};

/** The first part of a value that JSON cannot carry or a database cannot store, or null. */
export function jsonFault(value: unknown, path: readonly string[] = []): FieldFault | null {
  if (!Array.isArray(value) && !isRecord(value)) return leafFault(value, path);
  if (path.length >= DEPTH_LIMIT) return fault(`must not be nested deeper than ${DEPTH_LIMIT} levels`);
  for (const [key, item] of Object.entries(value)) {
    if (!isStorableText(key)) return fault(UNSTORABLE_MESSAGE, path);
    const found = jsonFault(item, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

export function isJsonValue(value: unknown): value is JsonValue {
  return jsonFault(value) === null;
}
