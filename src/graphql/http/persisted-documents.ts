import { createHash } from 'node:crypto';
import { stripIgnoredCharacters } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import { createLruCache } from '../../lib/lru-cache.js';
import type { PersistedOptions } from '../graphql-options.js';
import type { OperationRequest, SentOperation } from './read-request.js';

/** Documents that clients name instead of sending them. */
export interface PersistedDocuments {
  /** What is to be run. Throws `graphql/persisted-not-found`, `…-not-supported`, `…-mismatch` and `graphql/only-persisted`. */
  readonly resolve: (sent: SentOperation) => OperationRequest;
  /** Keeps a document under its hash, once it has been found to be one. */
  readonly keep: (operation: OperationRequest) => void;
}

/** Together 16 million characters at most. */
const MOST_KEPT = 1000;
const LONGEST_KEPT = 16_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const plain = (text: string): string | null => {
  try {
    return stripIgnoredCharacters(text);
  } catch {
    return null;
  }
};

/**
 * Remembers what clients have sent by its hash (automatic persisted queries, by Apollo's protocol), and knows the documents of the project.
 *
 * @param stored the project's documents, by their hashes and names
 */
export function createPersistedDocuments({ automatic, only }: PersistedOptions, stored: ReadonlyMap<string, string>): PersistedDocuments {
  const kept = createLruCache<string, string>(MOST_KEPT);
  const allowed = new Set([...stored.values()].flatMap((text) => plain(text) ?? []));
  const isAllowed = (query: string): boolean => stored.has(hashOf(query)) || allowed.has(plain(query) ?? '');
  const isRemembering = automatic && !only;

  const find = (name: string): string => {
    const found = stored.get(name) ?? (isRemembering ? kept.get(name) : undefined);
    if (found !== undefined) return found;
    throw fail(automatic || stored.size > 0 ? 'graphql/persisted-not-found' : 'graphql/persisted-not-supported');
  };

  return {
    resolve: ({ query, hash, documentId, ...rest }) => {
      if (query === null) return { ...rest, query: find(hash ?? documentId ?? ''), keepAs: null };
      if (only && !isAllowed(query)) throw fail('graphql/only-persisted');
      if (hash === null) return { ...rest, query, keepAs: null };
      if (hashOf(query) !== hash) throw fail('graphql/persisted-mismatch');
      return { ...rest, query, keepAs: isRemembering && query.length <= LONGEST_KEPT ? hash : null };
    },
    keep: ({ keepAs, query }) => {
      if (keepAs !== null) kept.set(keepAs, query);
    },
  };
}
