import type { Page, ReadQuery } from '../../query/query.js';
import type { FindManyResult } from '../documents.js';
import { readCursorPage } from './read-cursor-page.js';
import type { RecordReader } from './record-reader.js';

/** Offset from which a page may be read from the end of its list, if that is nearer. */
const FAR = 500;

/**
 * Returns a page in the second half of a list, counted from the end: its last record first. Null if the page
 * begins in the first half.
 */
const fromEnd = (page: Page, total: number): Page | null => {
  const { offset, limit } = page;
  if (offset * 2 <= total) return null;
  const following = Math.max(total - offset, 0);
  const length = Math.min(limit, following);
  return { ...page, offset: following - length, limit: length, isReversed: true };
};

const isFar = ({ offset, isReversed = false }: Page): boolean => offset >= FAR && !isReversed;

/** Counts first, since the total tells from which end of the list a page is nearer. */
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

/** Returns the records of one page, and the total number if the page asks for it. */
export async function readPage(records: RecordReader, query: ReadQuery): Promise<FindManyResult> {
  const { page } = query;
  if (page?.cursor !== undefined) return readByCursor(records, query, page);
  if (page?.withCount !== true) return { records: await records.many(query), total: null };
  if (isFar(page)) return readFarPage(records, query, page);
  return readNearPage(records, query, page);
}
