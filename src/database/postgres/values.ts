import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import type { BoundValue } from '../dialect/sql-expressions.js';
import { textForm } from '../../lib/text-form.js';

/** The type that values of each kind are bound as: wider than the column, so that no number overflows. */
const BOUND_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'bigint',
  bigint: 'bigint',
  double: 'float8',
  boolean: 'boolean',
  datetime: 'timestamp',
  json: 'text',
};

export function boundType(kind: ColumnKind): string {
  return BOUND_TYPES[kind];
}

const encodeTime = (time: Date): string => {
  const year = time.getUTCFullYear();
  if (year > 9999) return 'infinity';
  return year < 1 ? '-infinity' : time.toISOString();
};

/** Replaces NUL, which PostgreSQL cannot store, with a character that never matches stored text. */
const replaceNul = (text: string): string => text.replaceAll('\0', '\u{fffd}');

const encodeText = (value: StoredScalar): string => replaceNul(textForm(value));

const encodeNumber = (value: StoredScalar): BoundValue =>
  typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);

/** Encodes a value as it is bound to be compared with a column of that kind. */
export function encodeForPostgres(kind: ColumnKind, value: StoredScalar): BoundValue {
  if (value === null) return null;
  switch (kind) {
    case 'text':
    case 'json':
      return encodeText(value);
    case 'integer':
    case 'bigint':
      return encodeNumber(value);
    case 'double':
      return Number(value);
    case 'boolean':
      return value === true;
    case 'datetime':
      return value instanceof Date ? encodeTime(value) : encodeText(value);
    default:
      return kind satisfies never;
  }
}

const quoteElement = (value: BoundValue): string => `"${String(value).replace(/["\\]/g, String.raw`\$&`)}"`;

/** Encodes a list as the text of a PostgreSQL array. */
export function encodeListForPostgres(kind: ColumnKind, values: readonly StoredScalar[]): string {
  const items = values
    .filter((value) => value !== null)
    .map((value) => quoteElement(encodeForPostgres(kind, value)));
  return `{${items.join(',')}}`;
}
