import type { Answer, Club, GraphqlReply } from '../club.js';
import type { Outcome } from './oracle.js';

const STATUSES: Readonly<Record<number, Outcome>> = { 200: 'ok', 201: 'ok', 204: 'ok', 400: 'invalid', 401: 'unauthorised', 403: 'forbidden', 404: 'missing' };
const CODES: Readonly<Record<string, Outcome>> = { BAD_USER_INPUT: 'invalid', FORBIDDEN: 'forbidden', NOT_FOUND: 'missing', UNAUTHENTICATED: 'unauthorised' };

export interface Result {
  /** Status or code where it is none that is expected anywhere. */
  readonly outcome: string;
  readonly body: unknown;
}

export function restResult({ status, body }: Pick<Answer, 'status' | 'body'>): Result {
  return { outcome: STATUSES[status] ?? String(status), body };
}

/** `done` is the alias of the one root field. */
export function graphqlResult({ status, data, errors, body }: GraphqlReply): Result {
  if (status !== 200) return { outcome: STATUSES[status] ?? String(status), body };
  const [error] = errors;
  if (error !== undefined) return { outcome: CODES[error.extensions.code] ?? error.extensions.code, body };
  return { outcome: data?.['done'] === null ? 'missing' : 'ok', body };
}

/** Speaks for one caller by both transports, and keeps all that was answered. */
export interface Voice {
  readonly rest: (method: string, path: string, body?: unknown) => Promise<Result>;
  readonly graphql: (document: string, variables?: Readonly<Record<string, unknown>>) => Promise<Result>;
  readonly heard: string[];
}

export function speakAs(club: Club, credential: string | null): Voice {
  const heard: string[] = [];
  const keep = (result: Result): Result => {
    heard.push(JSON.stringify(result.body) ?? '');
    return result;
  };
  return {
    heard,
    rest: async (method, path, body) => keep(restResult(await club.ask(method, path, { as: credential, ...(body === undefined ? {} : { body }) }))),
    graphql: async (document, variables = {}) => keep(graphqlResult(await club.query(document, { as: credential, variables }))),
  };
}
