import type { FastifyReply } from 'fastify';
import { areLongTexts, toStream } from '../../lib/http.js';
import type { AggregateResult, FindManyResult, RecordText } from '../../documents/documents.js';
import type { AggregateQuery } from '../../query/aggregate.js';
import type { Page } from '../../query/query.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Prints `{"data":…,"meta":{}}` around the JSON text of one record. */
export function printOne(record: RecordText): string {
  return `{"data":${record},"meta":{}}`;
}

/** The pagination of a response. Undefined values are not printed. */
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

/** Returns an object literal with all keys, because V8 gives objects built by spreading separate shapes. */
const paginationOf = (page: Page, { total, ends }: FindManyResult): Pagination => {
  const { style, offset, limit, isReversed = false, cursor } = page;
  const isOffsetKnown = !isReversed && (cursor?.position ?? null) === null;
  const isByPage = style === 'page';
  return {
    page: isOffsetKnown && isByPage ? Math.floor(offset / limit) + 1 : undefined,
    pageSize: isByPage ? limit : undefined,
    start: isOffsetKnown && !isByPage ? offset : undefined,
    limit: isByPage ? undefined : limit,
    pageCount: isByPage && total !== null ? Math.ceil(total / limit) : undefined,
    total: total ?? undefined,
    next: ends && (ends.hasNext ? ends.last : null),
    previous: ends && (ends.hasPrevious ? ends.first : null),
  };
};

/** Prints the envelope of an aggregate: an object, or a list of groups. */
export function printAggregate({ records, hasMore }: AggregateResult, { slice }: AggregateQuery): string {
  if (slice === null) return printOne(records[0] ?? '{}');
  const pagination = { start: slice.offset, limit: slice.limit, hasMore };
  return `{"data":[${records.join(',')}],"meta":${JSON.stringify({ pagination })}}`;
}

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(text);
}

/** The JSON text of a read: a string, or parts of a long text. */
export type ReadBody = string | Iterable<string>;

/** Sends the body of a read. Long text is sent in chunks, between which other requests are served. */
export function sendBody(reply: FastifyReply, body: ReadBody): FastifyReply {
  if (typeof body === 'string') return sendJson(reply, 200, body);
  return reply.code(200).header('content-type', JSON_TYPE).send(toStream(body));
}

/** Returns the body with one record. */
export function bodyOfOne(record: RecordText): ReadBody {
  return areLongTexts([record]) ? ['{"data":', record, ',"meta":{}}'] : printOne(record);
}

function* listBodyParts(records: readonly RecordText[], meta: string): Generator<string> {
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
  return areLongTexts(records)
    ? listBodyParts(records, meta)
    : `{"data":[${records.join(',')}],"meta":${meta}}`;
}
