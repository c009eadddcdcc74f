import type { FastifyReply, FastifyRequest } from 'fastify';
import { permissionOf } from '../../access/permissions/actions.js';
import type { Precondition, RecordText } from '../../documents/documents.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { parseIfMatch } from '../../lib/http.js';
import { readDatetime } from '../../model/fields/date-value.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { invalidParameter } from '../../query/read-context.js';
import type { ReadQuery } from '../../query/query.js';
import { accessAtStatus, hidesDrafts } from '../../query/read-access.js';
import { etagOf } from '../http/response-cache.js';
import { printOne, sendJson } from './envelope.js';
import { callerOf } from '../http/request-lifecycle.js';
import { localeOf, readQueryOf } from './handler.js';
import type { RestDependencies } from './handler.js';
import { requestsStrapi4Format } from './response-format.js';

const isForbidden = (error: unknown): boolean => isGalleyError(error) && error.kind === 'forbidden';

/** True if the caller may read single documents of the type. */
const mayRead = ({ access }: RestDependencies, type: ContentType, request: FastifyRequest): boolean => {
  const { uid, action } = permissionOf(type, 'findOne');
  try {
    access.authorise(callerOf(request), uid, action);
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
};

/**
 * Returns the precondition in the header `If-Match`. Its ETags are those of a GET request for the document
 * with the query parameters of this request. A single value may be the document's `updatedAt` in quotes.
 *
 * @throws `request/invalid-parameter` if the request names all locales, which have no common ETag
 */
export function preconditionOf(
  dependencies: RestDependencies,
  type: ContentType,
  request: FastifyRequest,
): Precondition | undefined {
  const etags = parseIfMatch(request.headers['if-match']);
  if (etags === undefined) return undefined;
  if (etags === '*') return { kind: 'exists' };
  const updatedAt = etags.length === 1 ? readDatetime(String(etags[0]).slice(1, -1)) : null;
  if (updatedAt !== null) return { kind: 'revision', updatedAt };
  if (type.localized && localeOf(dependencies, request) === '*')
    throw invalidParameter('locale', 'it must be one locale code if the request has If-Match.');
  const isReader = mayRead(dependencies, type, request);
  const queryOf = (status: VersionStatus): ReadQuery | null => {
    if (!isReader) return null;
    try {
      return readQueryOf(dependencies, type, request, { isList: false, status });
    } catch (error) {
      if (isForbidden(error)) return null;
      throw error;
    }
  };
  return { kind: 'representation', queryOf, etagOf: (record) => etagOf([printOne(record)]), etags };
}

/** True if a GET request of the caller would return the same attributes as this write. */
const isReadAlike = (
  dependencies: RestDependencies,
  type: ContentType,
  request: FastifyRequest,
  status: VersionStatus,
): boolean => {
  const { access, wrapsReads = () => false } = dependencies;
  const rights = accessAtStatus(access.readAccessOf(callerOf(request)), status);
  const isLimited = ['find', 'findOne'].some(
    (action) => (rights.scopeOf?.(type.uid, action) ?? null) !== null,
  );
  return (
    !requestsStrapi4Format(request) &&
    !wrapsReads(type.uid) &&
    !isLimited &&
    rights.canFind(type.uid) &&
    !(status === 'draft' && hidesDrafts(rights, type)) &&
    mayRead(dependencies, type, request)
  );
};

interface WrittenResponse {
  /** The HTTP status. */
  readonly code: number;
  /** The status of the version in the response. */
  readonly status: VersionStatus | undefined;
  readonly record: RecordText;
}

/** Sends a written document, with the ETag for the next write if the caller may read it like this. */
export function sendWritten(
  dependencies: RestDependencies,
  type: ContentType,
  request: FastifyRequest,
  reply: FastifyReply,
  { code, status = 'published', record }: WrittenResponse,
): FastifyReply {
  const body = printOne(record);
  if (isReadAlike(dependencies, type, request, status)) reply.header('etag', etagOf([body]));
  return sendJson(reply, code, body);
}
