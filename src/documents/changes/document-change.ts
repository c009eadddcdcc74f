import { createHash } from 'node:crypto';
import { isRecord } from '../../lib/records.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import type { WriteAction } from '../hooks.js';

/** A query for documents, whose removal is reported to the listener. */
export type Watch = Pick<
  ReadQuery,
  'type' | 'filter' | 'locale' | 'status' | 'hasPublishedVersion' | 'publicationFilter' | 'withoutDrafts'
>;

const KEY_LENGTH = 16;

/** Tags big integers, which JSON cannot represent, in filters. */
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

/** Parses the text of {@link printWatches}. */
export function parseWatches(text: string): readonly (readonly [key: string, watch: Watch])[] {
  return Object.entries(JSON.parse(text, restoreTagged) as Readonly<Record<string, Watch>>);
}

/** A committed write of any process. */
export interface DocumentChange {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The written locale. Null for types that are not localised, and if all locales were deleted. */
  readonly locale: string | null;
  /** `published`: the published version was written, and the draft if the type has drafts. */
  readonly status: VersionStatus | null;
  /** If a version was removed: the keys of the watches that matched it. */
  readonly watches: readonly string[];
}

/** Prints a change as a message for all listening processes. {@link parseChange} reads it. */
export function printChange({ action, type, documentId, locale, status, watches }: DocumentChange): string {
  return JSON.stringify({
    action,
    type,
    documentId,
    locale,
    status,
    ...(watches.length === 0 ? {} : { watches }),
  });
}

/** Parses a message. Returns null if it is not a valid change. */
export function parseChange(text: string): DocumentChange | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (
    !isRecord(value) ||
    typeof value['type'] !== 'string' ||
    typeof value['documentId'] !== 'string' ||
    typeof value['action'] !== 'string'
  )
    return null;
  return {
    ...(value as unknown as DocumentChange),
    watches: Array.isArray(value['watches']) ? (value['watches'] as string[]) : [],
  };
}
