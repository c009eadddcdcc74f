import { CATALOGUE } from '../../../../src/errors/catalogue.js';
import type { ErrorCode } from '../../../../src/errors/catalogue.js';
import { isRecord } from '../../../../src/lib/records.js';
import type { TestResponse, Testbed, GraphqlResponse } from '../testbed.js';
import type { Outcome } from './oracle.js';

const STATUSES: Readonly<Record<number, Outcome>> = {
  200: 'ok',
  201: 'ok',
  204: 'ok',
  400: 'invalid',
  401: 'unauthorised',
  403: 'forbidden',
  404: 'missing',
};
/** By the names of errors, since GraphQL's codes do not tell callers who must sign in from the others. */
const ERRORS: Readonly<Record<string, Outcome>> = {
  ValidationError: 'invalid',
  ForbiddenError: 'forbidden',
  NotFoundError: 'missing',
  UnauthorizedError: 'unauthorised',
};

export interface Result {
  /** The status or code, if it is not one of the expected outcomes. */
  readonly outcome: string;
  readonly body: unknown;
}

function restResult({ status, body }: Pick<TestResponse, 'status' | 'body'>): Result {
  return { outcome: STATUSES[status] ?? String(status), body };
}

/** `done` is the alias of the only root field. */
function graphqlResult({ status, data, errors, body }: GraphqlResponse): Result {
  if (status !== 200) return { outcome: STATUSES[status] ?? String(status), body };
  const [error] = errors;
  if (error !== undefined) {
    const { name } = error.extensions.error;
    return { outcome: ERRORS[name] ?? name, body };
  }
  return { outcome: data?.['done'] === null ? 'missing' : 'ok', body };
}

/** Sends requests of one caller over all transports, and keeps all responses. */
export interface CallerClient {
  readonly rest: (method: string, path: string, body?: unknown) => Promise<Result>;
  /** Writes items that stand alone in one request. Returns the one outcome that all of them have. */
  readonly bulk: (path: string, items: readonly object[]) => Promise<Result>;
  readonly graphql: (document: string, variables?: Readonly<Record<string, unknown>>) => Promise<Result>;
  /** Calls a tool of the Model Context Protocol. A plan is confirmed. */
  readonly mcp: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Result>;
  readonly responses: string[];
  /** True without a credential, with which the tools cannot be called. */
  readonly isAnonymous: boolean;
}

const KINDS: Readonly<Record<string, Outcome>> = {
  validation: 'invalid',
  forbidden: 'forbidden',
  'not-found': 'missing',
};

/** Reads the result in the one event of a response. */
function mcpResult({ status, body }: Pick<TestResponse, 'status' | 'body'>): Result {
  const event = typeof body === 'string' ? (/^data: (.*)$/m.exec(body)?.[1] ?? '{}') : '{}';
  if (status !== 200) return { outcome: STATUSES[status] ?? String(status), body };
  const { result } = JSON.parse(event) as {
    readonly result?: { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };
  };
  if (result === undefined) return { outcome: event, body };
  const response = JSON.parse(result.content[0].text) as { readonly error?: { readonly code: ErrorCode } };
  const { error } = response;
  const outcome = error === undefined ? 'ok' : (KINDS[CATALOGUE[error.code].kind] ?? error.code);
  return { outcome, body: response };
}

const callTool = async (
  testbed: Testbed,
  credential: string | null,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
): Promise<Result> =>
  mcpResult(
    await testbed.request('POST', '/mcp', {
      as: credential,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    }),
  );

export function createCallerClient(testbed: Testbed, credential: string | null): CallerClient {
  const responses: string[] = [];
  const recordResponse = (result: Result): Result => {
    responses.push(JSON.stringify(result.body) ?? '');
    return result;
  };
  return {
    responses,
    isAnonymous: credential === null,
    mcp: async (name, args) => {
      const planned = recordResponse(await callTool(testbed, credential, { name, args }));
      const confirm = isRecord(planned.body) ? planned.body['confirm'] : undefined;
      return confirm === undefined
        ? planned
        : recordResponse(await callTool(testbed, credential, { name, args: { ...args, confirm } }));
    },
    rest: async (method, path, body) =>
      recordResponse(
        restResult(
          await testbed.request(method, path, { as: credential, ...(body === undefined ? {} : { body }) }),
        ),
      ),
    bulk: async (path, items) => {
      const response = await testbed.request('POST', `${path}/bulk?atomic=false`, {
        as: credential,
        body: { data: items },
      });
      const { data } = response.body as { readonly data: readonly { readonly status: number }[] | null };
      const results = response.status === 200 && data !== null ? data : [response];
      const outcomes = new Set(results.map(({ status }) => restResult({ status, body: null }).outcome));
      return recordResponse({ outcome: [...outcomes].join(' and '), body: response.body });
    },
    graphql: async (document, variables = {}) =>
      recordResponse(graphqlResult(await testbed.query(document, { as: credential, variables }))),
  };
}
