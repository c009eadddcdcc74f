import type { FastifyRequest } from 'fastify';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';

/** One operation as a client sends it. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | null;
}

const refuse = (reason: string): Error => fail('graphql/invalid-request', { reason });

const NAME = /^[_A-Za-z]\w{0,199}$/;

/** A document as JSON is no document: it would be taken as a syntax tree that nobody has checked. */
const JSON_TEXT = /^\s*(?:\{\s*["}]|[["\d-]|(?:true|false|null)\s*$)/;

const variablesOf = (value: unknown): Record<string, unknown> => {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw refuse('variables must be an object.');
  return value;
};

/** Reads what a client sends into an operation. Throws `graphql/invalid-request`. */
export function readOperation(source: unknown): OperationRequest {
  if (!isRecord(source)) throw refuse('A request is an object with a query.');
  const { query, variables, operationName } = source;
  if (typeof query !== 'string' || query.trim() === '') throw refuse('A request needs a query, as text.');
  if (JSON_TEXT.test(query)) throw refuse('The query is no GraphQL document.');
  const name = operationName === undefined || operationName === '' ? null : operationName;
  if (name !== null && (typeof name !== 'string' || !NAME.test(name))) throw refuse('operationName must be a name.');
  return { query, variables: variablesOf(variables), operationName: name };
}

const parseText = (text: string | undefined): unknown => {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse('variables must be JSON.');
  }
};

/** Reads an operation from the parameters of a GET request. */
export function readQueryParameters(request: FastifyRequest): OperationRequest {
  const parameters = new URL(request.raw.url ?? '', 'http://localhost').searchParams;
  return readOperation({
    query: parameters.get('query') ?? undefined,
    variables: parseText(parameters.get('variables') ?? undefined),
    operationName: parameters.get('operationName') ?? undefined,
  });
}

const PREFLIGHTED = ['x-apollo-operation-name', 'apollo-require-preflight'];

/** Whether a browser would have had to ask before it sent that from another site. */
export function isPreflighted({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const type = headers['content-type'] ?? '';
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type) || PREFLIGHTED.some((name) => typeof headers[name] === 'string' && headers[name] !== '');
}
