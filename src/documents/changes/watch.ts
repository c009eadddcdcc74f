import { createHash } from 'node:crypto';
import { isRecord } from '../../lib/is-record.js';
import type { ReadQuery } from '../../query/query.js';

/** A query for the documents whose removal a listener wants to be notified of. */
export type Watch = Pick<
  ReadQuery,
  'type' | 'filter' | 'locale' | 'status' | 'hasPublishedVersion' | 'publicationFilter' | 'withoutDrafts'
>;

const KEY_LENGTH = 16;

/** Filters can contain times and big integers, which JSON cannot represent. */
const tagBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { $bigint: String(value) } : value;

const tagTimes = (value: unknown): unknown => {
  if (value instanceof Date) return { $time: value.toISOString() };
  if (Array.isArray(value)) return value.map(tagTimes);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tagTimes(item)]))
    : value;
};

const restoreTagged = (_key: string, value: unknown): unknown => {
  if (!isRecord(value)) return value;
  if (typeof value['$bigint'] === 'string') return BigInt(value['$bigint']);
  return typeof value['$time'] === 'string' ? new Date(value['$time']) : value;
};

const printWatch = ({
  type,
  filter,
  locale,
  status,
  hasPublishedVersion,
  publicationFilter,
  withoutDrafts,
}: Watch): string =>
  JSON.stringify(
    tagTimes({ type, filter, locale, status, hasPublishedVersion, publicationFilter, withoutDrafts }),
    tagBigint,
  );

/** Returns the key of a watch in messages. Equal watches have equal keys. */
export function watchKey(watch: Watch): string {
  return createHash('sha256').update(printWatch(watch)).digest('base64url').slice(0, KEY_LENGTH);
}

/** Prints the watches of one process with their keys. */
export function printWatches(watches: ReadonlyMap<string, Watch>): string {
  return `{${[...watches].map(([key, watch]) => `${JSON.stringify(key)}:${printWatch(watch)}`).join(',')}}`;
}

/** Parses what {@link printWatches} has printed. */
export function parseWatches(text: string): readonly (readonly [key: string, watch: Watch])[] {
  return Object.entries(JSON.parse(text, restoreTagged) as Readonly<Record<string, Watch>>);
}
