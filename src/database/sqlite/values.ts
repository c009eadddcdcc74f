import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import type { BoundValue } from '../dialect/sql-expressions.js';
import { textForm } from '../../lib/text-form.js';

/** Sorts after all stored times, since `~` is greater than all digits. */
const AFTER_ALL_TIMES = '~';

/** Times are stored as text in one format, the driver adapter's, so that they compare as text. */
const encodeTime = (time: Date): string => {
  const year = time.getUTCFullYear();
  if (year > 9999) return AFTER_ALL_TIMES;
  return year < 0 ? '' : time.toISOString().replace('Z', '+00:00');
};

const encodeNumber = (value: StoredScalar): BoundValue =>
  typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);

/** Encodes a value as it is bound to be compared with a column of that kind. */
export function encodeForSqlite(kind: ColumnKind, value: StoredScalar): BoundValue {
  if (value === null) return null;
  switch (kind) {
    case 'text':
    case 'json':
      return textForm(value);
    case 'integer':
    case 'bigint':
      return encodeNumber(value);
    case 'double':
      return Number(value);
    case 'boolean':
      return value === true ? 1 : 0;
    case 'datetime':
      return value instanceof Date ? encodeTime(value) : textForm(value);
    default:
      return kind satisfies never;
  }
}

/** Encodes a list as a JSON array. Integers beyond 2^53 keep all digits. */
export function encodeListForSqlite(kind: ColumnKind, values: readonly StoredScalar[]): string {
  const items = values
    .filter((value) => value !== null)
    .map((value) => {
      const bound = encodeForSqlite(kind, value);
      return typeof bound === 'bigint' ? String(bound) : JSON.stringify(bound);
    });
  return `[${items.join(',')}]`;
}
