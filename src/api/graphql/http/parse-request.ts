import type { FastifyRequest } from 'fastify';
import { GraphQLError, Lexer, Source, TokenKind, stripIgnoredCharacters } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createError } from '../../../errors/catalogue.js';
import { defined } from '../../../lib/assert.js';
import { sha256Hex } from '../../../lib/ids.js';
import { InexactNumberError, parseExactJson } from '../../../lib/json.js';
import { isRecord } from '../../../lib/records.js';
import type { PersistedQueriesOptions } from '../graphql-options.js';

const MAX_NAME_LENGTH = 255;
const LONG_WORD = /\w{256}/;

const nameTooLong = (): Error =>
  createError('graphql/invalid-request', { reason: `A name is longer than ${MAX_NAME_LENGTH} characters.` });

const assertTokens = (query: string): void => {
  const lexer = new Lexer(new Source(query));
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
    if (token.kind === TokenKind.NAME && token.value.length > MAX_NAME_LENGTH) throw nameTooLong();
};

/**
 * Rejects documents with very long names, since computing suggestions for them would take long. The parser
 * reports text that is not a document.
 */
export function assertShortNames(query: string): void {
  if (!LONG_WORD.test(query)) return;
  try {
    assertTokens(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}

/** One operation with its document. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | null;
  /** The hash under which to cache the document after it has been validated; null: it is not cached. */
  readonly cacheKey: string | null;
}

/** One operation of a request, which sends a document, the hash or name of a document, or both. */
interface OperationPayload extends Omit<OperationRequest, 'query' | 'cacheKey'> {
  readonly query: string | null;
  /** `extensions.persistedQuery.sha256Hash` */
  readonly hash: string | null;
  /** `documentId`: the hash or the name of a document of the project. */
  readonly documentId: string | null;
}

const invalidRequest = (reason: string): Error => createError('graphql/invalid-request', { reason });

const NAME = /^[_A-Za-z]\w{0,199}$/;
const HASH = /^[0-9a-f]{64}$/i;
const DOCUMENT_ID = /^[\w.:+=/-]{1,200}$/;

/**
 * Matches documents that are JSON. They are rejected, because Mercurius would parse them as a syntax tree and
 * not validate it.
 */
const JSON_TEXT = /^\s*(?:\{\s*["}]|[["\d-]|(?:true|false|null)\s*$)/;

const isEmpty = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

const variablesOf = (value: unknown): Record<string, unknown> => {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw invalidRequest('variables must be an object.');
  return value;
};

const queryOf = (query: unknown): string | null => {
  if (isEmpty(query)) return null;
  if (typeof query !== 'string' || query.trim() === '')
    throw invalidRequest('A request needs a query, which must be a string.');
  if (JSON_TEXT.test(query)) throw invalidRequest('The query is not a GraphQL document.');
  assertShortNames(query);
  return query;
};

const hashOf = (extensions: unknown): string | null => {
  if (isEmpty(extensions)) return null;
  if (!isRecord(extensions)) throw invalidRequest('extensions must be an object.');
  const { persistedQuery } = extensions;
  if (isEmpty(persistedQuery)) return null;
  const hash =
    isRecord(persistedQuery) && (persistedQuery['version'] ?? 1) === 1
      ? persistedQuery['sha256Hash']
      : undefined;
  if (typeof hash !== 'string' || !HASH.test(hash))
    throw invalidRequest(
      'extensions.persistedQuery must be {version: 1, sha256Hash}, with 64 hexadecimal digits.',
    );
  return hash.toLowerCase();
};

const documentIdOf = (id: unknown): string | null => {
  if (isEmpty(id)) return null;
  if (typeof id !== 'string' || !DOCUMENT_ID.test(id))
    throw invalidRequest('documentId must be the hash or the name of a document.');
  return id;
};

/**
 * Parses the payload of one operation.
 *
 * @throws `graphql/invalid-request`
 */
export function parseOperationRequest(payload: unknown): OperationPayload {
  if (!isRecord(payload)) throw invalidRequest('A request must be an object with a query.');
  const query = queryOf(payload['query']);
  const [hash, documentId] = [hashOf(payload['extensions']), documentIdOf(payload['documentId'])];
  if (query === null && hash === null && documentId === null)
    throw invalidRequest('A request needs a query, which must be a string.');
  const { operationName } = payload;
  const name = operationName === undefined || operationName === '' ? null : operationName;
  if (name !== null && (typeof name !== 'string' || !NAME.test(name)))
    throw invalidRequest('operationName must be a name.');
  return { query, hash, documentId, variables: variablesOf(payload['variables']), operationName: name };
}

const parseJsonParameter = (text: string | null, name: string): unknown => {
  if (text === null || text === '') return undefined;
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof InexactNumberError) throw invalidRequest(`${name}: ${error.message}.`);
    throw invalidRequest(`${name} must be JSON.`);
  }
};

/**
 * Parses the payload in the query string of a GET request.
 *
 * @throws `graphql/invalid-request`
 */
export function parseQueryParameters(url: string): object {
  const parameters = new URL(url, 'http://localhost').searchParams;
  return {
    query: parameters.get('query') ?? undefined,
    variables: parseJsonParameter(parameters.get('variables'), 'variables'),
    extensions: parseJsonParameter(parameters.get('extensions'), 'extensions'),
    operationName: parameters.get('operationName') ?? undefined,
    documentId: parameters.get('documentId') ?? undefined,
  };
}

const PREFLIGHT_HEADERS = ['x-apollo-operation-name', 'apollo-require-preflight'];

/** True if a browser sends the request from another site only after a CORS preflight request. */
export function isPreflighted({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const type = headers['content-type'] ?? '';
  return (
    /^application\/(?:[\w.+-]+\+)?json\b/i.test(type) ||
    PREFLIGHT_HEADERS.some((name) => typeof headers[name] === 'string' && headers[name] !== '')
  );
}

/** Documents to which clients refer by hash or name. */
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

/** Limits of the cache, which hold at most 16 million characters. */
const MAX_CACHED_DOCUMENTS = 1000;
const MAX_CACHED_LENGTH = 16_000;

const stripOrNull = (text: string): string | null => {
  try {
    return stripIgnoredCharacters(text);
  } catch {
    return null;
  }
};

/**
 * Creates the store of an endpoint's persisted documents: documents of the project, and documents that
 * clients sent with their hash, by Apollo's protocol of automatic persisted queries.
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
    if (projectDocuments.has(sha256Hex(query))) return true;
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
      if (sha256Hex(query) !== hash) throw createError('graphql/persisted-query-hash-mismatch');
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
