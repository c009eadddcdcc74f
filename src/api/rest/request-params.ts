import type { FastifyRequest } from 'fastify';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { parseDocumentId } from '../../query/parse/parse-document-id.js';
import { parseQueryString } from './parse-query-string.js';

/** Returns the query string as it was sent. */
export function queryTextOf(request: FastifyRequest): string {
  const { url } = request;
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Returns the parsed query string. */
export function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const text = queryTextOf(request);
  return text === '' ? {} : parseQueryString(text);
}

/** Returns the document id in the path, or null for text that no document can have as its id. */
export function documentIdOf(request: FastifyRequest): string | null {
  const { documentId } = request.params as { readonly documentId?: string };
  return parseDocumentId(documentId);
}

/** Returns the client's `data`. Throws `request/missing-data` unless it is an object. */
export function dataOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const data = isRecord(request.body) ? request.body['data'] : undefined;
  if (!isRecord(data)) throw createError('request/missing-data');
  return data;
}

/** Returns the text that stands for `:id` in the path. */
export function idParameterOf(request: FastifyRequest): string | undefined {
  return (request.params as { readonly id?: string }).id;
}
