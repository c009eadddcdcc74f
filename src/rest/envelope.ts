import type { RecordText } from '../documents/documents.js';
import type { Page } from '../query/query.js';

/** `{"data":…,"meta":{}}` around one record, whose JSON text goes in as it is. */
export function printOne(record: RecordText): string {
  return `{"data":${record},"meta":{}}`;
}

const paginationOf = (page: Page, total: number | null): Readonly<Record<string, number>> => {
  if (page.style === 'offset') return { start: page.offset, limit: page.limit, ...(total === null ? {} : { total }) };
  const counted = total === null ? {} : { pageCount: Math.ceil(total / page.limit), total };
  return { page: Math.floor(page.offset / page.limit) + 1, pageSize: page.limit, ...counted };
};

/** The envelope of a list. `total` null: it was not counted. */
export function printMany(records: readonly RecordText[], page: Page | null, total: number | null): string {
  const meta = page === null ? {} : { pagination: paginationOf(page, total) };
  return `{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`;
}
