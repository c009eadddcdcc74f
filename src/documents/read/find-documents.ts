import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { LazySignal } from '../../lib/resources.js';
import type { ContentType } from '../../model/model.js';
import type { AggregateQuery } from '../../query/aggregate.js';
import { POSITION_END } from '../../query/compile/sort.js';
import { printCursor } from '../../query/cursor.js';
import type { Page, ReadQuery } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';
import type { AggregateResult, FindManyResult, RecordText } from '../documents.js';
import { recordsFor } from './record-reader.js';
import type { RecordReader } from './record-reader.js';

/*
 * The read operations of the document service. record-reader runs the compiled statements.
 */

interface PlacedRecord {
  /** The values of the order's keys, as JSON. */
  readonly position: string;
  readonly record: string;
}

const placedRecord = (text: string): PlacedRecord => {
  const end = text.indexOf(POSITION_END);
  return { position: text.slice(0, end), record: text.slice(end + POSITION_END.length) };
};

const cursorOf = (query: ReadQuery, placed: PlacedRecord | undefined): string | null => {
  if (placed === undefined) return null;
  const values: unknown = JSON.parse(placed.position);
  return printCursor(query, isRecord(values) ? Object.values(values) : []);
};

/** Reads a page by cursor, plus one record to see if the list continues. */
async function readCursorPage(
  records: RecordReader,
  query: ReadQuery,
  page: Page,
): Promise<Required<Pick<FindManyResult, 'records' | 'ends'>>> {
  const { limit, offset, isReversed = false, cursor } = page;
  const found = await records.many({ ...query, page: { ...page, limit: limit + 1 } });
  const hasMore = found.length > limit;
  const placed = found.slice(0, limit).map(placedRecord);
  if (isReversed) placed.reverse();
  const isAfterOthers = placed.length > 0 && (offset > 0 || (cursor?.position ?? null) !== null);
  return {
    records: placed.map(({ record }) => record),
    ends: {
      first: cursorOf(query, placed[0]),
      last: cursorOf(query, placed.at(-1)),
      hasPrevious: isReversed ? hasMore : isAfterOthers,
      hasNext: isReversed ? isAfterOthers : hasMore,
    },
  };
}

/** Minimum offset of pages that are read from the end of the list, if that is nearer. */
const FAR = 500;

/**
 * Returns a page in the second half of a list, counted from the end, with its last record first. Null if the
 * page begins in the first half.
 */
const fromEnd = (page: Page, total: number): Page | null => {
  const { offset, limit } = page;
  if (offset * 2 <= total) return null;
  const following = Math.max(total - offset, 0);
  const length = Math.min(limit, following);
  return { ...page, offset: following - length, limit: length, isReversed: true };
};

const isFar = ({ offset, isReversed = false }: Page): boolean => offset >= FAR && !isReversed;

/** Counts first, since the total determines the nearer end of the list. */
const readFarPage = async (records: RecordReader, query: ReadQuery, page: Page): Promise<FindManyResult> => {
  const total = await records.count(query);
  const reversed = fromEnd(page, total);
  if (reversed === null) return { records: await records.many(query), total };
  if (reversed.limit === 0) return { records: [], total };
  return { records: (await records.many({ ...query, page: reversed })).toReversed(), total };
};

/**
 * Reads the page before it counts, since a page that is not full is the last one. A filter that finds few
 * rows, such as those with a slug, then costs one statement.
 */
const readNearPage = async (records: RecordReader, query: ReadQuery, page: Page): Promise<FindManyResult> => {
  const found = await records.many(query);
  const isLast = found.length < page.limit && (found.length > 0 || page.offset === 0);
  return { records: found, total: isLast ? page.offset + found.length : await records.count(query) };
};

const readByCursor = async (records: RecordReader, query: ReadQuery, page: Page): Promise<FindManyResult> => {
  const [{ records: found, ends }, total] = await Promise.all([
    readCursorPage(records, query, page),
    page.withCount ? records.count(query) : null,
  ]);
  return { records: found, ends, total };
};

/** Returns the records of one page, and the total number if the query requests it. */
export async function readPage(records: RecordReader, query: ReadQuery): Promise<FindManyResult> {
  const { page } = query;
  if (page?.cursor !== undefined) return readByCursor(records, query, page);
  if (page?.withCount !== true) return { records: await records.many(query), total: null };
  if (isFar(page)) return readFarPage(records, query, page);
  return readNearPage(records, query, page);
}

/** Throws `request/unknown-release` unless the release that a query previews exists. */
async function assertRelease(
  { database: { dialect, readNumber } }: Pick<DocumentContext, 'database'>,
  { release }: ReadQuery,
): Promise<void> {
  if (release === undefined) return;
  const countSql = `SELECT count(*) FROM "cms_releases" WHERE "name" = ${dialect.expressions.placeholder(1)}`;
  if ((await readNumber(countSql, [release.name])) === 0)
    throw createError('request/unknown-release', { name: release.name });
}

/** Returns the records of one page, and the total number if the query requests it. */
export async function findMany(
  context: DocumentContext,
  query: ReadQuery,
  signal?: LazySignal,
): Promise<FindManyResult> {
  const { records } = context;
  await assertRelease(context, query);
  return readPage(recordsFor(records, signal), query);
}

/**
 * Returns one document's version, or the single type's if `documentId` is null. Null if the query's filter
 * matches none.
 */
export async function findOne(
  context: DocumentContext,
  query: ReadQuery,
  documentId: string | null,
  signal?: LazySignal,
): Promise<RecordText | null> {
  const { records } = context;
  await assertRelease(context, query);
  if (documentId !== null) return records.one(query, documentId, signal);
  const [record] = await records.many(query, signal);
  return record ?? null;
}

/** Returns the number of versions that the query matches, regardless of its page. */
export async function count(context: DocumentContext, query: ReadQuery): Promise<number> {
  const { records } = context;
  await assertRelease(context, query);
  return records.count(query);
}

/** Returns figures over the versions that a query matches. */
export async function aggregate(
  context: DocumentContext,
  query: AggregateQuery,
  signal?: LazySignal,
): Promise<AggregateResult> {
  const { records } = context;
  await assertRelease(context, query.query);
  const { slice } = query;
  if (slice === null) return { records: await records.aggregate(query, signal), hasMore: false };
  const { limit } = slice;
  const groups = await records.aggregate({ ...query, slice: { ...slice, limit: limit + 1 } }, signal);
  return { records: groups.slice(0, limit), hasMore: groups.length > limit };
}

/** Returns the id of a single type's document, or null before its first write. */
export async function singleDocumentId(
  { database, documentTableOf }: DocumentContext,
  type: ContentType,
): Promise<string | null> {
  const { sql } = documentTableOf(type).first();
  const [documentId] = await database.readTexts(sql, []);
  return documentId ?? null;
}
