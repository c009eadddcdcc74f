import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { callerOf, clientSignalOf } from '../http/request-lifecycle.js';
import type { PublicHeaders } from '../http/cache-headers.js';
import { cacheEntryOf, createCacheHook, etagOf, sendNotModified } from '../http/response-cache.js';
import type { LazySignal } from '../../lib/resources.js';
import { TYPES_HEADER, addVary, isKnownEtag } from '../../lib/http.js';
import type { ContentType, Uid } from '../../model/model.js';
import { typesRead } from '../../query/describe-read.js';
import type { ReadQuery } from '../../query/query.js';
import { sendBody } from './envelope.js';
import type { ReadBody } from './envelope.js';
import { documentIdOf } from './handler.js';
import type { Handler, ReadDependencies } from './handler.js';
import { requestsStrapi4Format, VARY_BY_FORMAT } from './response-format.js';

/** The functions that parse the query of a read and read its response. */
export interface ReadSource {
  readonly queryOf: (request: FastifyRequest) => ReadQuery;
  /** Reads the response's body. `signal` aborts when the client disconnects. */
  readonly read: (query: ReadQuery, request: FastifyRequest, signal: LazySignal) => Promise<ReadBody>;
  /** True if every response has an ETag, false if only cached responses have. */
  readonly hasEtag: boolean;
}

const VARY = `Authorization, ${VARY_BY_FORMAT}`;

/**
 * Sets `Cache-Control` to the value in the configuration or the schema file, and adds the tags. Responses to
 * callers with a credential are private, so that shared caches do not send them to others.
 */
const setCacheHeaders = (
  request: FastifyRequest,
  reply: FastifyReply,
  { options }: ContentType,
  { cacheHeaders }: ReadDependencies,
  headers: PublicHeaders | undefined,
): void => {
  const isPublic = callerOf(request).kind === 'anonymous';
  const control = headers?.cacheControl ?? options['cacheControl'];
  if (isPublic && headers !== undefined) cacheHeaders?.sendTags(reply, headers);
  if (typeof control !== 'string') return;
  reply.header('cache-control', isPublic ? control : 'private, no-cache');
  reply.header('vary', addVary(reply.getHeader('vary'), VARY));
};

/** Lists the types whose events concern the response, if the client asks for them. */
const listTypes = (
  { access, model }: Pick<ReadDependencies, 'access' | 'model'>,
  request: FastifyRequest,
  reply: FastifyReply,
  types: () => readonly Uid[],
): void => {
  if (request.headers[TYPES_HEADER] === undefined) return;
  const { canFind } = access.readAccessOf(callerOf(request));
  const isAnnounced = (uid: Uid): boolean => model.typesByUid[uid]?.origin === 'project' && canFind(uid);
  reply.header(TYPES_HEADER, types().filter(isAnnounced).join());
};

/** Returns the parts of a body, which a short one has one of. */
const partsOf = (body: ReadBody): readonly string[] => (typeof body === 'string' ? [body] : [...body]);

/** Returns the records of a body. Null: it is too long to parse it again. */
const recordsOf = (body: ReadBody): readonly unknown[] | null => {
  if (typeof body !== 'string') return null;
  const { data } = JSON.parse(body) as { readonly data: unknown };
  return Array.isArray(data) ? data : [data];
};

/** Creates the handler of a read, which sends the cached response if there is one. */
export function createReadHandler(
  dependencies: ReadDependencies,
  type: ContentType,
  { queryOf, read, hasEtag }: ReadSource,
): Handler {
  const { model, cacheHeaders } = dependencies;
  const respond: Handler = async (request, reply) => {
    const entry = cacheEntryOf(request);
    let cached = entry?.response ?? null;
    let body: ReadBody | undefined = cached?.body;
    let headers = cached?.headers;
    let isPreview = false;
    if (body === undefined) {
      const query = queryOf(request);
      isPreview = query.release !== undefined;
      listTypes(dependencies, request, reply, () => typesRead(model, query));
      body = await read(query, request, clientSignalOf(reply));
      if (cacheHeaders !== undefined)
        headers = cacheHeaders.headersOf([
          { query, documentId: documentIdOf(request), records: recordsOf(body) },
        ]);
      // Long text is sent in parts, since joining it would hold up other requests.
      if (typeof body === 'string') cached = entry?.store([query], { body, headers }) ?? null;
    } else if (cached !== null) listTypes(dependencies, request, reply, () => cached?.types ?? []);
    if (isPreview) reply.header('cache-control', 'private, no-store');
    else setCacheHeaders(request, reply, type, dependencies, headers);
    const isTagged = hasEtag && !requestsStrapi4Format(request);
    const etag = cached?.etag ?? (isTagged ? etagOf(partsOf(body)) : undefined);
    if (etag === undefined) return sendBody(reply, body);
    reply.header('etag', etag);
    const isKnown = isKnownEtag(request.headers['if-none-match'], etag);
    return isKnown ? sendNotModified(reply, partsOf(body).join('')) : sendBody(reply, body);
  };
  if (cacheHeaders === undefined) return respond;
  return async (request, reply) => {
    try {
      return await respond(request, reply);
    } catch (error) {
      // No tag says when an error is stale, such as that of a document that is published later.
      reply.header('cache-control', 'no-store');
      throw error;
    }
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
