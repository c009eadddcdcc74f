import { createHash } from 'node:crypto';
import { stripIgnoredCharacters } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createError } from '../../../errors/catalogue.js';
import { defined } from '../../../lib/defined.js';
import type { PersistedQueriesOptions } from '../graphql-options.js';
import type { OperationRequest, OperationPayload } from './parse-request.js';

/** Documents that clients send by hash or name. */
export interface PersistedDocuments {
  /**
   * Returns the operation with its document.
   *
   * @throws `graphql/persisted-query-not-found`, `graphql/persisted-query-not-supported`,
   *   `graphql/persisted-query-hash-mismatch`, `graphql/persisted-queries-only`
   */
  readonly resolve: (payload: OperationPayload) => OperationRequest;
  /** Caches a document that has been validated, under the hash it was sent with. */
  readonly store: (operation: OperationRequest) => void;
}

/** Together at most 16 million characters. */
const MAX_CACHED_DOCUMENTS = 1000;
const MAX_CACHED_LENGTH = 16_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const stripOrNull = (text: string): string | null => {
  try {
    return stripIgnoredCharacters(text);
  } catch {
    return null;
  }
};

/**
 * Creates the store of an endpoint's persisted documents: those of the project, and those that clients have
 * sent with their hash, by Apollo's protocol of automatic persisted queries.
 *
 * @param projectDocuments the project's documents, by hash and by name
 */
export function createPersistedDocuments(
  { automatic, only }: PersistedQueriesOptions,
  projectDocuments: ReadonlyMap<string, string>,
): PersistedDocuments {
  const documentCache = new LRUCache<string, string>({ max: MAX_CACHED_DOCUMENTS });
  const allowedDocuments = new Set([...projectDocuments.values()].flatMap((text) => stripOrNull(text) ?? []));
  const isAllowed = (query: string): boolean => {
    if (projectDocuments.has(hashOf(query))) return true;
    const normalised = stripOrNull(query);
    return normalised !== null && allowedDocuments.has(normalised);
  };
  const isCachingEnabled = automatic && !only;

  const find = (name: string): string => {
    const found = projectDocuments.get(name) ?? (isCachingEnabled ? documentCache.get(name) : undefined);
    if (found !== undefined) return found;
    throw createError(
      automatic || projectDocuments.size > 0
        ? 'graphql/persisted-query-not-found'
        : 'graphql/persisted-query-not-supported',
    );
  };

  return {
    resolve: ({ query, hash, documentId, ...rest }) => {
      if (query === null)
        return {
          query: find(defined(hash ?? documentId, 'the name of a document')),
          cacheKey: null,
          ...rest,
        };
      if (only && !isAllowed(query)) throw createError('graphql/persisted-queries-only');
      if (hash === null) return { query, cacheKey: null, ...rest };
      if (hashOf(query) !== hash) throw createError('graphql/persisted-query-hash-mismatch');
      return {
        query,
        cacheKey: isCachingEnabled && query.length <= MAX_CACHED_LENGTH ? hash : null,
        ...rest,
      };
    },
    store: ({ cacheKey, query }) => {
      if (cacheKey !== null) documentCache.set(cacheKey, query);
    },
  };
}
