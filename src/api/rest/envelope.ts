import type { FastifyReply } from 'fastify';
import { areLongTexts, toStream } from '../../lib/http.js';
import type { AggregateResult, FindManyResult, RecordText } from '../../documents/documents.js';
import type { AggregateQuery } from '../../query/aggregate.js';
import type { Page } from '../../query/query.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Prints `{"data":…,"meta":{}}` around the JSON text of one record. */
export function printOne(record: RecordText): string {
  return `{"data":${record},"meta":{}}`;
}

/** Undefined: not printed. */
interface Pagination {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly start?: number | undefined;
  readonly limit?: number | undefined;
  readonly pageCount?: number | undefined;
  readonly total?: number | undefined;
  readonly next?: string | null | undefined;
  readonly previous?: string | null | undefined;
}

/** All keys at once: V8 keeps a shape of its own for each object that a spread adds keys to. */
const paginationOf = (page: Page, { total, ends }: FindManyResult): Pagination => {
  const { style, offset, limit, isReversed = false, cursor } = page;
  const isPlaceKnown = !isReversed && (cursor?.position ?? null) === null;
  const isByPage = style === 'page';
  return {
    page: isPlaceKnown && isByPage ? Math.floor(offset / limit) + 1 : undefined,
    pageSize: isByPage ? limit : undefined,
    start: isPlaceKnown && !isByPage ? offset : undefined,
    limit: isByPage ? undefined : limit,
    pageCount: isByPage && total !== null ? Math.ceil(total / limit) : undefined,
    total: total ?? undefined,
    next: ends && (ends.hasNext ? ends.last : null),
    previous: ends && (ends.hasPrevious ? ends.first : null),
  };
};

/** Prints the envelope of figures: an object, or a list of groups. */
export function printAggregate({ records, hasMore }: AggregateResult, { slice }: AggregateQuery): string {
  if (slice === null) return printOne(records[0] ?? '{}');
  const pagination = { start: slice.offset, limit: slice.limit, hasMore };
  return `{"data":[${records.join(',')}],"meta":${JSON.stringify({ pagination })}}`;
}

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(text);
}

/** The JSON text of what was read: whole, or in parts where it is long. */
export type ReadBody = string | Iterable<string>;

/** Sends what was read. Long text goes in chunks, between which other requests are served. */
export function sendBody(reply: FastifyReply, body: ReadBody): FastifyReply {
  if (typeof body === 'string') return sendJson(reply, 200, body);
  return reply.code(200).header('content-type', JSON_TYPE).send(toStream(body));
}

/** Returns the body with one record. */
export function bodyOfOne(record: RecordText): ReadBody {
  return areLongTexts([record]) ? ['{"data":', record, ',"meta":{}}'] : printOne(record);
}

function* partsOf(records: readonly RecordText[], meta: string): Generator<string> {
  yield '{"data":[';
  for (const [index, record] of records.entries()) {
    if (index > 0) yield ',';
    yield record;
  }
  yield `],"meta":${meta}}`;
}

/** Returns the body with a list of records. */
export function bodyOfMany(result: FindManyResult, page: Page | null): ReadBody {
  const { records } = result;
  const meta = JSON.stringify(page === null ? {} : { pagination: paginationOf(page, result) });
  return areLongTexts(records) ? partsOf(records, meta) : `{"data":[${records.join(',')}],"meta":${meta}}`;
}
