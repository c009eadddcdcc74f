import type { FastifyReply } from 'fastify';
import type { RecordText } from '../documents/documents.js';
import type { Page } from '../query/query.js';

/** Prints `{"data":…,"meta":{}}` around the JSON text of one record. */
export function printOne(record: RecordText): string {
  return `{"data":${record},"meta":{}}`;
}

const paginationOf = (page: Page, total: number | null): Readonly<Record<string, number>> => {
  if (page.style === 'offset')
    return { start: page.offset, limit: page.limit, ...(total === null ? {} : { total }) };
  const totals = total === null ? {} : { pageCount: Math.ceil(total / page.limit), total };
  return { page: Math.floor(page.offset / page.limit) + 1, pageSize: page.limit, ...totals };
};

/** Prints the envelope of a list. `total` is null if it was not counted. */
export function printMany(records: readonly RecordText[], page: Page | null, total: number | null): string {
  const meta = page === null ? {} : { pagination: paginationOf(page, total) };
  return `{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`;
}

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}
