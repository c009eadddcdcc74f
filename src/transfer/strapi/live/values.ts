import type { ForeignValue } from '../../../database/dialect/foreign-database.js';
import type { JsonValue } from '../../../lib/stored-value.js';

const textOf = (value: ForeignValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);

/** Text without a zone is in UTC. */
const withZone = (text: string): string => {
  const iso = text.replace(' ', 'T');
  if (/(?:Z|[+-]\d\d:?\d\d)$/.test(iso)) return iso;
  return /[+-]\d\d$/.test(iso) ? `${iso}:00` : `${iso}Z`;
};

/** SQLite has milliseconds, as a number or as text; PostgreSQL has text in UTC. */
const toDate = (value: ForeignValue): Date =>
  /^-?\d+(?:\.0)?$/.test(textOf(value)) ? new Date(Number(value)) : new Date(withZone(textOf(value)));

const toIso = (value: ForeignValue): string => {
  const date = toDate(value);
  return Number.isNaN(date.getTime()) ? textOf(value) : date.toISOString();
};

const toBoolean = (value: ForeignValue): boolean => ['1', 't', 'true'].includes(textOf(value));

const toJson = (value: ForeignValue): JsonValue => {
  const parsed: JsonValue = JSON.parse(textOf(value));
  return parsed;
};

/** Milliseconds stay what they are, as in Strapi's own answers. */
const toTimestamp = (value: ForeignValue): string =>
  typeof value === 'string' ? toIso(value) : textOf(value);

/** Strapi's driver of SQLite reads JavaScript numbers, so that its answers have those beyond 2^53 rounded. */
const toBigInteger = (value: ForeignValue): string =>
  typeof value === 'bigint' ? String(BigInt(Number(value))) : textOf(value);

const toDay = (value: ForeignValue): string =>
  typeof value === 'string' ? value : toIso(value).slice(0, 10);

const READERS: Readonly<Record<string, (value: ForeignValue) => JsonValue>> = {
  boolean: toBoolean,
  integer: Number,
  biginteger: toBigInteger,
  float: Number,
  decimal: Number,
  json: toJson,
  blocks: toJson,
  datetime: toIso,
  timestamp: toTimestamp,
  date: toDay,
};

/** Of custom fields only the column tells what they are. */
const typeOfColumn = (native: string): string => {
  if (native.startsWith('json')) return 'json';
  if (native === 'boolean') return 'boolean';
  return /^(?:integer|float|double|real|numeric|decimal)/.test(native) ? 'decimal' : 'string';
};

/** A stored value as Strapi's exports have it. */
export function readValue(type: string, native: string, value: ForeignValue | undefined): JsonValue {
  if (value === null || value === undefined) return null;
  const reader = READERS[type === 'customField' ? typeOfColumn(native) : type];
  return reader === undefined ? textOf(value) : reader(value);
}

/** Ids and counts, which all drivers return differently. */
export const readNumber = (value: ForeignValue | undefined): number => Number(value);

export const readText = (value: ForeignValue | undefined): string | null =>
  value === null || value === undefined ? null : textOf(value);

/** A time as ISO text. */
export const readTime = (value: ForeignValue | undefined): string | null =>
  value === null || value === undefined ? null : toIso(value);
