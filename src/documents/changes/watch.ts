import { createHash } from 'node:crypto';
import { isRecord } from '../../lib/is-record.js';
import type { ReadQuery } from '../../query/query.js';

/** Documents whose removal somebody wants to know of: those that this read selects, as long as they are there. */
export type Watch = Pick<ReadQuery, 'type' | 'filter' | 'locale' | 'status' | 'hasPublishedVersion' | 'publicationFilter'>;

const KEY_LENGTH = 16;

/** JSON has neither times nor big numbers, of which filters may be made. */
const tag = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? { $bigint: String(value) } : value);

const tagTimes = (value: unknown): unknown => {
  if (value instanceof Date) return { $time: value.toISOString() };
  if (Array.isArray(value)) return value.map(tagTimes);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tagTimes(item)])) : value;
};

const untag = (_key: string, value: unknown): unknown => {
  if (!isRecord(value)) return value;
  if (typeof value['$bigint'] === 'string') return BigInt(value['$bigint']);
  return typeof value['$time'] === 'string' ? new Date(value['$time']) : value;
};

const print = ({ type, filter, locale, status, hasPublishedVersion, publicationFilter }: Watch): string =>
  JSON.stringify(tagTimes({ type, filter, locale, status, hasPublishedVersion, publicationFilter }), tag);

/** Stands for a watch in messages; equal watches have equal keys. */
export function watchKey(watch: Watch): string {
  return createHash('sha256').update(print(watch)).digest('base64url').slice(0, KEY_LENGTH);
}

/** The watches of one process, by key, as text. */
export function printWatches(watches: ReadonlyMap<string, Watch>): string {
  return `{${[...watches].map(([key, watch]) => `${JSON.stringify(key)}:${print(watch)}`).join(',')}}`;
}

export function parseWatches(text: string): readonly (readonly [key: string, watch: Watch])[] {
  return Object.entries(JSON.parse(text, untag) as Readonly<Record<string, Watch>>);
}
