import type { FastifyReply } from 'fastify';
import type { FindManyResult, PageEnds, RecordText } from '../documents/documents.js';
import type { Page } from '../query/query.js';

/** Prints `{"data":…,"meta":{}}` around the JSON text of one record. */
export function printOne(record: RecordText): string {
  return `{"data":${record},"meta":{}}`;
}

type Pagination = Readonly<Record<string, number | string | null>>;

const totalsOf = ({ style, limit }: Page, total: number | null): Pagination => {
  if (total === null) return {};
  return style === 'page' ? { pageCount: Math.ceil(total / limit), total } : { total };
};

const rangeOf = ({ style, offset, limit, isReversed = false, cursor }: Page): Pagination => {
  const isPlaceKnown = !isReversed && (cursor?.position ?? null) === null;
  const size = style === 'page' ? { pageSize: limit } : { limit };
  if (!isPlaceKnown) return size;
  return style === 'page' ? { page: Math.floor(offset / limit) + 1, ...size } : { start: offset, ...size };
};

const cursorsOf = ({ first, last, hasPrevious, hasNext }: PageEnds): Pagination => ({
  next: hasNext ? last : null,
  previous: hasPrevious ? first : null,
});

const paginationOf = (page: Page, { total, ends }: FindManyResult): Pagination => ({
  ...rangeOf(page),
  ...totalsOf(page, total),
  ...(ends === undefined ? {} : cursorsOf(ends)),
});

/** Prints the envelope of a list. */
export function printMany(result: FindManyResult, page: Page | null): string {
  const meta = page === null ? {} : { pagination: paginationOf(page, result) };
  return `{"data":[${result.records.join(',')}],"meta":${JSON.stringify(meta)}}`;
}

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}
