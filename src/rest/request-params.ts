import type { FastifyRequest } from 'fastify';
import { fail } from '../errors/catalogue.js';
import { isStorableText } from '../fields/text-value.js';
import { isRecord } from '../lib/is-record.js';
import { parseQueryString } from './query-string.js';

/** The parameters after the question mark, as they were sent. */
export function queryTextOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The parameters after the question mark, nested. */
export function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const text = queryTextOf(request);
  return text === '' ? {} : parseQueryString(text);
}

/** The document id in the path; null for text that no database could hold, and so no document has. */
export function documentIdOf(request: FastifyRequest): string | null {
  const { documentId } = request.params as { readonly documentId?: string };
  return documentId !== undefined && isStorableText(documentId) ? documentId : null;
}

/** The client's `data`. Throws `request/no-data` where the body has no object of that name. */
export function dataOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const data = isRecord(request.body) ? request.body['data'] : undefined;
  if (!isRecord(data)) throw fail('request/no-data');
  return data;
}
