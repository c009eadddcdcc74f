import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { Page, QueryLimits } from './query.js';
import { parseBoolean, parseInteger } from './raw-values.js';
import { refuse } from './read-context.js';

/** Part of one list: by pages or by offset, never both. Absent parts are null. */
interface RawRange {
  readonly page: number | null;
  readonly pageSize: number | null;
  readonly start: number | null;
  readonly limit: number | null;
}

type RangeKey = keyof RawRange;

/** A project may lift the maximum with -1. */
const maximum = ({ maxLimit }: QueryLimits): number => (maxLimit < 0 ? Number.MAX_SAFE_INTEGER : Math.max(maxLimit, 1));

const clampLimit = (wanted: number, limits: QueryLimits): number => Math.min(Math.max(wanted, 1), maximum(limits));

const readNumber = (source: Readonly<Record<string, unknown>>, key: RangeKey, path: string): number | null => {
  const value = source[key];
  if (value === undefined || value === null) return null;
  const number = parseInteger(value);
  if (number === null) throw refuse(`${path}.${key}`, 'it must be a whole number.');
  return number;
};

const readRange = (source: Readonly<Record<string, unknown>>, path: string): RawRange => {
  const read = (key: RangeKey): number | null => readNumber(source, key, path);
  const range = { page: read('page'), pageSize: read('pageSize'), start: read('start'), limit: read('limit') };
  if (isByPage(range) && isByOffset(range)) throw fail('request/pagination-mixed');
  return range;
};

const isByPage = ({ page, pageSize }: RawRange): boolean => page !== null || pageSize !== null;
const isByOffset = ({ start, limit }: RawRange): boolean => start !== null || limit !== null;

const readCount = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  const count = parseBoolean(value);
  if (count === null) throw refuse('pagination.withCount', 'it must be true or false.');
  return count;
};

/** Where the range begins and how much it holds at most, within the limits. */
const resolve = (range: RawRange, limits: QueryLimits, path: string): { readonly offset: number; readonly limit: number } => {
  if (isByOffset(range)) {
    const limit = range.limit === -1 ? maximum(limits) : clampLimit(range.limit ?? limits.defaultLimit, limits);
    return { offset: Math.max(range.start ?? 0, 0), limit };
  }
  const limit = clampLimit(range.pageSize ?? limits.defaultLimit, limits);
  const offset = (Math.max(range.page ?? 1, 1) - 1) * limit;
  if (!Number.isSafeInteger(offset)) throw refuse(`${path}.page`, 'there is no page as late as that.');
  return { offset, limit };
};

/**
 * Reads a `pagination` value. Numbers below the least are raised to it, sizes above the maximum lowered; `limit` -1 is all, up to the maximum.
 * Throws `request/invalid-parameter` for what is no number and `request/pagination-mixed`; keys it does not know it ignores.
 */
export function parsePage(raw: unknown, limits: QueryLimits): Page {
  const source = raw ?? {};
  if (!isRecord(source)) throw refuse('pagination', 'it must be an object, like pagination[page]=2.');
  const range = readRange(source, 'pagination');
  return { style: isByOffset(range) ? 'offset' : 'page', ...resolve(range, limits, 'pagination'), withCount: readCount(source['withCount']) };
}

/**
 * Reads the range of a populated list from `pagination`, or from `start` and `limit` beside its other options. Null: the whole list.
 */
export function parseSlice(options: Readonly<Record<string, unknown>>, limits: QueryLimits, path: string): { readonly offset: number; readonly limit: number } | null {
  const { pagination } = options;
  const nested = pagination !== undefined && pagination !== null;
  if (nested && !isRecord(pagination)) throw refuse(`${path}.pagination`, 'it must be an object, like pagination[limit]=5.');
  const range = readRange({ start: options['start'], limit: options['limit'], ...(nested ? pagination : {}) }, path);
  if (!nested && !isByOffset(range)) return null;
  return resolve(range, limits, path);
}
