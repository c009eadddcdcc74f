import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { clientSignalOf } from '../http/request-lifecycle.js';
import { cacheEntryOf, createCacheHook, sendNotModified } from '../http/response-cache.js';
import type { CachedResponse } from '../http/response-cache.js';
import type { LazySignal } from '../../lib/resources.js';
import { addVary, isKnownEtag } from '../../lib/http.js';
import type { ContentType } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { JSON_TYPE, sendBody } from './envelope.js';
import type { ReadBody } from './envelope.js';
import { callerOf } from './guard.js';
import { documentIdOf } from './handler.js';
import type { Handler, ReadDependencies } from './handler.js';
import { requestsStrapi4Format, VARY_BY_FORMAT } from './response-format.js';

/** The functions that parse the query of a read and read its response. */
export interface ReadSource {
  readonly queryOf: (request: FastifyRequest) => ReadQuery;
  /** Reads the response's body. `signal` aborts when the client disconnects. */
  readonly read: (query: ReadQuery, request: FastifyRequest, signal: LazySignal) => Promise<ReadBody>;
}

const VARY = `Authorization, ${VARY_BY_FORMAT}`;

/**
 * Sets `Cache-Control` to the value in the schema file. Responses to callers with a credential are private,
 * so that shared caches do not send them to others.
 */
const setCacheControl = (
  request: FastifyRequest,
  reply: FastifyReply,
  { options: { cacheControl } }: ContentType,
): void => {
  if (typeof cacheControl !== 'string') return;
  const isPublic = callerOf(request).kind === 'anonymous';
  reply.header('cache-control', isPublic ? cacheControl : 'private, no-cache');
  reply.header('vary', addVary(reply.getHeader('vary'), VARY));
};

const sendCached = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: CachedResponse,
): FastifyReply => {
  reply.header('etag', etag);
  if (isKnownEtag(request.headers['if-none-match'], etag)) return sendNotModified(reply, body);
  return reply.header('content-type', JSON_TYPE).send(body);
};

/** Creates the handler of a read, which sends the cached response if there is one. */
export function createReadHandler(type: ContentType, { queryOf, read }: ReadSource): Handler {
  return async (request, reply) => {
    const entry = cacheEntryOf(request);
    let cached = entry?.response ?? null;
    if (cached === null) {
      const query = queryOf(request);
      const body = await read(query, request, clientSignalOf(reply));
      // Long text is sent in parts, since joining it would hold up other requests.
      if (typeof body === 'string') cached = entry?.store([query], { body }) ?? null;
      if (cached === null) {
        setCacheControl(request, reply, type);
        return sendBody(reply, body);
      }
    }
    setCacheControl(request, reply, type);
    return sendCached(request, reply, cached);
  };
}

/** Creates the hook that looks reads up in the cache. Responses in the shape of Strapi 4 are not cached. */
export function createReadCacheHook({ cache }: ReadDependencies): preHandlerAsyncHookHandler | undefined {
  if (cache === undefined) return undefined;
  return createCacheHook(cache, (request) =>
    requestsStrapi4Format(request)
      ? null
      : // Project middlewares may route a request to another document than its URL names.
        { grants: callerOf(request).grants, text: `${request.url} ${documentIdOf(request) ?? ''}` },
  );
}
