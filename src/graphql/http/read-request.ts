import type { FastifyRequest } from 'fastify';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';

/** One operation that can be run. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | null;
  /** The hash to keep the document under, once it has been found to be one; null: it is not to be kept. */
  readonly keepAs: string | null;
}

/** One operation as a client sends it: its document, what the document is known by, or both. */
export interface SentOperation extends Omit<OperationRequest, 'query' | 'keepAs'> {
  readonly query: string | null;
  /** `extensions.persistedQuery.sha256Hash` */
  readonly hash: string | null;
  /** `documentId`: a hash, or another name of a document the project has. */
  readonly documentId: string | null;
}

const refuse = (reason: string): Error => fail('graphql/invalid-request', { reason });

const NAME = /^[_A-Za-z]\w{0,199}$/;
const HASH = /^[0-9a-f]{64}$/i;
const DOCUMENT_ID = /^[\w.:+=/-]{1,200}$/;

/** A document as JSON is no document: it would be taken as a syntax tree that nobody has checked. */
const JSON_TEXT = /^\s*(?:\{\s*["}]|[["\d-]|(?:true|false|null)\s*$)/;

const isAbsent = (value: unknown): value is undefined | null | '' => value === undefined || value === null || value === '';

const variablesOf = (value: unknown): Record<string, unknown> => {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw refuse('variables must be an object.');
  return value;
};

const queryOf = (query: unknown): string | null => {
  if (isAbsent(query)) return null;
  if (typeof query !== 'string' || query.trim() === '') throw refuse('A request needs a query, as text.');
  if (JSON_TEXT.test(query)) throw refuse('The query is no GraphQL document.');
  return query;
};

const hashOf = (extensions: unknown): string | null => {
  if (isAbsent(extensions)) return null;
  if (!isRecord(extensions)) throw refuse('extensions must be an object.');
  const { persistedQuery } = extensions;
  if (isAbsent(persistedQuery)) return null;
  const hash = isRecord(persistedQuery) && (persistedQuery['version'] ?? 1) === 1 ? persistedQuery['sha256Hash'] : undefined;
  if (typeof hash !== 'string' || !HASH.test(hash)) throw refuse('extensions.persistedQuery must be {version: 1, sha256Hash}, with 64 hexadecimal digits.');
  return hash.toLowerCase();
};

const documentIdOf = (id: unknown): string | null => {
  if (isAbsent(id)) return null;
  if (typeof id !== 'string' || !DOCUMENT_ID.test(id)) throw refuse('documentId must be the hash or the name of a document.');
  return id;
};

/** Reads what a client sends into an operation. Throws `graphql/invalid-request`. */
export function readOperation(source: unknown): SentOperation {
  if (!isRecord(source)) throw refuse('A request is an object with a query.');
  const query = queryOf(source['query']);
  const [hash, documentId] = [hashOf(source['extensions']), documentIdOf(source['documentId'])];
  if (query === null && hash === null && documentId === null) throw refuse('A request needs a query, as text.');
  const { operationName } = source;
  const name = operationName === undefined || operationName === '' ? null : operationName;
  if (name !== null && (typeof name !== 'string' || !NAME.test(name))) throw refuse('operationName must be a name.');
  return { query, hash, documentId, variables: variablesOf(source['variables']), operationName: name };
}

const parseText = (text: string | null, name: string): unknown => {
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse(`${name} must be JSON.`);
  }
};

/** Reads an operation from the parameters of a GET request. */
export function readQueryParameters(request: FastifyRequest): SentOperation {
  const parameters = new URL(request.raw.url ?? '', 'http://localhost').searchParams;
  return readOperation({
    query: parameters.get('query') ?? undefined,
    variables: parseText(parameters.get('variables'), 'variables'),
    extensions: parseText(parameters.get('extensions'), 'extensions'),
    operationName: parameters.get('operationName') ?? undefined,
    documentId: parameters.get('documentId') ?? undefined,
  });
}

const PREFLIGHTED = ['x-apollo-operation-name', 'apollo-require-preflight'];

/** Whether a browser would have had to ask before it sent that from another site. */
export function isPreflighted({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const type = headers['content-type'] ?? '';
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type) || PREFLIGHTED.some((name) => typeof headers[name] === 'string' && headers[name] !== '');
}
