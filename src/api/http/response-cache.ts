import { createHash, hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { Access, Grants } from '../../access/access.js';
import { createSharedGrantsId } from '../../access/permissions/authorise.js';
import { createRevisionCache } from '../../database/revision-cache.js';
import type { RevisionSource } from '../../database/revision-cache.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { addVary } from '../../lib/http.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { typesRead } from '../../query/describe-read.js';
import type { PublicHeaders } from './cache-headers.js';

/** Bytes. Shorter responses are not compressed, because they nearly fit into the packet of their headers. */
export const MIN_COMPRESSED = 1024;

/** Adds to `Vary` that the response has several encodings. */
export function varyByEncoding(reply: FastifyReply): void {
  // In lower case, as @fastify/compress writes the name, which it adds unless it is present.
  reply.header('vary', addVary(reply.getHeader('vary'), 'accept-encoding'));
}

/** Sends 304 to a client that has the response already, with the headers of that response. */
export function sendNotModified(reply: FastifyReply, body: string): FastifyReply {
  if (body.length >= MIN_COMPRESSED) varyByEncoding(reply);
  return reply.code(304).send();
}

/** The compressed forms of a response. They count for the size of the cache. */
interface CompressedBodies {
  readonly get: (encoding: string) => Buffer | undefined;
  /** Stores a form, unless the response is no longer in the cache or grew too large for it. */
  readonly store: (encoding: string, bytes: Buffer) => void;
}

/** The JSON of a response that can be sent again. */
export interface CachedResponse {
  readonly body: string;
  readonly compressed: CompressedBodies;
  /** A strong ETag: equal bytes have the same one in every process. */
  readonly etag: string;
  /** The text that the log adds to the request's method and path. */
  readonly label: string | undefined;
  /** The content-types from which it was read. */
  readonly types: readonly Uid[];
  /** The headers for shared caches. Undefined: the configuration sets none. */
  readonly headers: PublicHeaders | undefined;
}

/** The request of a caller whose response may be cached. */
export interface CacheableRequest {
  readonly grants: Grants;
  /** The part of the request that determines the response: a URL, or a GraphQL document with variables. */
  readonly text: string;
}

/** The entry of one response in the cache, created before anything is read for the response. */
export interface CacheEntry {
  /** The cached response. Null: there is no valid one. */
  readonly response: CachedResponse | null;
  /**
   * Stores a response that depends only on these reads. Returns the cached response, or null if it must not
   * be cached.
   */
  readonly store: (
    queries: readonly ReadQuery[],
    response: {
      readonly body: string;
      readonly label?: string | undefined;
      readonly headers?: PublicHeaders | undefined;
    },
  ) => CachedResponse | null;
}

/** Caches responses until one of the content-types that they were read from changes. */
export interface ResponseCache {
  /** Returns the cache entry of a request. Null: the response to this request must not be cached. */
  readonly find: (request: CacheableRequest) => Promise<CacheEntry | null>;
  /** Returns the size of all cached responses. */
  readonly bytes: () => number;
}

export interface ResponseCacheOptions {
  readonly model: ContentModel;
  readonly locales: Access['locales'];
  readonly revisions: RevisionSource;
  readonly maxBytes: number;
  readonly cachesDrafts: boolean;
  /** True if project code wraps reads of the type, so that its responses cannot be cached. */
  readonly hasMiddleware: (type: Uid) => boolean;
  /** Called for each cacheable request. `isHit`: the cache has a valid response. */
  readonly onLookUp?: (isHit: boolean) => void;
}

/** Longer requests are rarely repeated. */
export const MAX_CACHED_REQUEST = 4000;

/** Returns the strong ETag of a body, which may have several parts. */
export function etagOf(parts: readonly string[]): string {
  const [body] = parts;
  if (body !== undefined && parts.length === 1) return `"${hash('sha1', body, 'base64url')}"`;
  const digest = createHash('sha1');
  for (const part of parts) digest.update(part);
  return `"${digest.digest('base64url')}"`;
}

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { model, locales, revisions, maxBytes, cachesDrafts, hasMiddleware, onLookUp } = options;
  const cache = createRevisionCache<CachedResponse>(maxBytes);
  const grantsId = createSharedGrantsId();
  const typesOf = memoizeWeakly((query: ReadQuery) => typesRead(model, query));
  /** The locales are part of the key, because they determine the validity and meaning of a request. */
  const localesKey = memoizeWeakly((all: ReturnType<typeof locales.all>) =>
    all.map(({ code, isDefault }) => (isDefault ? `*${code}` : code)).join(),
  );
  return {
    find: async ({ grants, text }) => {
      // Null if the grants depend on the identity of the caller.
      const rights = grantsId(grants);
      if (rights === null || text.length > MAX_CACHED_REQUEST) return null;
      const before = await revisions.current();
      if (before === null) return null;
      const key = `${rights} ${localesKey(locales.all())} ${text}`;
      const stored = cache.get(key, before);
      const response = stored?.types.some(hasMiddleware) === false ? stored : null;
      onLookUp?.(response !== null);
      return {
        response,
        store: (queries, { body, label, headers }) => {
          const types = queries.flatMap(typesOf);
          const readsDrafts = queries.some(({ status }) => status === 'draft');
          // Changes of a release do not change the revision of a type.
          if (queries.some(({ release }) => release !== undefined)) return null;
          if ((readsDrafts && !cachesDrafts) || types.some(hasMiddleware)) return null;
          const forms = new Map<string, Buffer>();
          const compressed: CompressedBodies = {
            get: (encoding) => forms.get(encoding),
            store: (encoding, bytes) => {
              if (!forms.has(encoding) && cache.grow(key, value, bytes.length)) forms.set(encoding, bytes);
            },
          };
          const value: CachedResponse = { body, compressed, etag: etagOf([body]), label, headers, types };
          cache.set(key, { value, bytes: 2 * body.length, types, revisions: before });
          return value;
        },
      };
    },
    bytes: cache.bytes,
  };
}

const ENTRY = 'cacheEntry';

/** Declares the property of requests that holds their cache entry. */
export function decorateCacheEntry(fastify: FastifyInstance): void {
  fastify.decorateRequest(ENTRY, null);
}

/** Returns the cache entry of a request. Null: the response is not cached. */
export function cacheEntryOf(request: FastifyRequest): CacheEntry | null {
  return request.getDecorator<CacheEntry | null>(ENTRY);
}

/**
 * Creates the `preHandler` that looks a request up in the cache. The handler sends the cached response, so
 * that code around the handler sees it like any other response.
 *
 * @param describe returns null for a request whose response must not be cached
 */
export function createCacheHook(
  cache: ResponseCache,
  describe: (request: FastifyRequest) => CacheableRequest | null,
): preHandlerAsyncHookHandler {
  return async (request) => {
    const described = describe(request);
    if (described !== null) request.setDecorator(ENTRY, await cache.find(described));
  };
}
