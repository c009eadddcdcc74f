/**
 * The folder remote accesses the content of remote servers. This file sends its requests; remote-store.ts is
 * the content store on top.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ErrorDetails, GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';

/** The name and the URL of a remote server, for messages. */
export interface RemoteName {
  readonly name: string;
  readonly url: string;
}

/** The parts of a response from which an error is created. */
interface ReceivedResponse {
  readonly status: number;
  /** Absent: the status is that of one of several writes in a response. */
  readonly headers?: Headers;
  /** The parsed JSON of the body. Undefined: it is not JSON. */
  readonly body: unknown;
}

const isIssue = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value['path']) && typeof value['message'] === 'string';

/** Returns the details of an error, with valid issues, which commands print next to lines of files. */
const detailsOf = (details: unknown): ErrorDetails => {
  if (!isRecord(details)) return {};
  const { errors, ...others } = details;
  if (!Array.isArray(errors) || !errors.every(isIssue)) return others;
  return { ...others, errors: errors as NonNullable<ErrorDetails['errors']> };
};

/** Statuses of an address without an endpoint. No endpoint used here responds with them as a whole. */
const ABSENT_STATUSES: ReadonlySet<number> = new Set([404, 405]);

/** Returns the error of a response without an error envelope, which is not from a Galley API. */
const unexpectedResponse = (
  { name, url }: RemoteName,
  { status, headers }: ReceivedResponse,
): GalleyError => {
  const location = headers?.get('location') ?? null;
  const isMissing = ABSENT_STATUSES.has(status);
  const other = isMissing ? 'no API is there' : `it responds with status ${status} and no JSON`;
  const reason = location === null ? other : `it redirects to ${location}`;
  return createError('remote/unexpected-response', { name, url, reason });
};

const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Returns the error of a failed response, with the message and details of the server. */
export function errorOfResponse(remote: RemoteName, response: ReceivedResponse): GalleyError {
  const { status, body } = response;
  const { name, url } = remote;
  const error = isRecord(body) ? body['error'] : undefined;
  const message = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : null;
  if (status === 401) return createError('remote/unauthorized', { name, url });
  if (BUSY.has(status)) return createError('remote/busy', { name, reason: message ?? `status ${status}` });
  const isOtherServer = response.headers !== undefined && ABSENT_STATUSES.has(status);
  if (message === null || !isRecord(error) || isOtherServer) return unexpectedResponse(remote, response);
  const details = detailsOf(error['details']);
  if (status === 403) return createError('remote/forbidden', { name, reason: message }, { details });
  if (status === 412) return createError('remote/changed', { reason: message }, { details });
  const reason = status >= 500 ? `${name}: ${message}` : message;
  return createError('remote/refused', { reason }, { details });
}

/** Codes of errors before a connection was established, so that the server did not receive the request. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const causesOf = (error: unknown): readonly unknown[] => {
  if (!(error instanceof Error)) return [error];
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...inner.flatMap(causesOf), ...(error.cause === undefined ? [] : causesOf(error.cause))];
};

const codesOf = (error: unknown): readonly unknown[] =>
  causesOf(error).flatMap((cause) =>
    typeof cause === 'object' && cause !== null && 'code' in cause ? [cause.code] : [],
  );

/** True if the server cannot have received the request. */
function isNeverSent(error: unknown): boolean {
  return codesOf(error).some((code) => NEVER_SENT.has(code) || /CERT|TLS|SSL/.test(String(code)));
}

/** Returns the message of the innermost cause, which alone names the reason in errors of fetch. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'the request timed out';
  const messages = causesOf(error).flatMap((cause) =>
    cause instanceof Error && cause.message !== '' ? [cause.message] : [],
  );
  return messages.at(-1) ?? String(error);
};

/**
 * Returns the error of a broken connection. A GalleyError is returned unchanged.
 *
 * @param isRepeatable true if the request can be repeated without writing anything twice
 */
export function brokenConnection(
  { name, url }: RemoteName,
  isRepeatable: boolean,
  error: unknown,
): GalleyError {
  if (isGalleyError(error)) return error;
  const reason = reasonOf(error);
  return isRepeatable || isNeverSent(error)
    ? createError('remote/unreachable', { name, url, reason }, { cause: error })
    : createError('remote/uncertain', { name, reason }, { cause: error });
}

/** The name, URL and token of a remote server, which a request needs. */
export interface RemoteAccess extends RemoteName {
  readonly token: string;
  /** Called with a message if a request has to wait. */
  readonly onWait?: (message: string) => void;
}

export interface RemoteRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the address of the API: `/cms/about`. */
  readonly path: string;
  /** Sent as JSON, unless it is FormData. */
  readonly body?: unknown;
  /** True if the request may be sent again when its outcome is unknown. */
  readonly isRepeatable: boolean;
  readonly timeoutMs?: number;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 60_000;
/** The longest wait that is accepted between two attempts. */
const LONGEST_WAIT_S = 120;
/** Waits of at least this length are reported. */
const REPORTED_WAIT_S = 2;

/** Seconds to wait before another attempt. */
const secondsUntilRetry = (headers: Headers, attempt: number): number => {
  const retryAfter = headers.get('retry-after');
  if (retryAfter === null) return 2 ** attempt / 4;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 1;
};

const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** True if a request may be sent again. A rate-limited request was not processed, so it always may. */
const mayRetry = (status: number, { isRepeatable }: RemoteRequest): boolean =>
  status === 429 || (isRepeatable && UNAVAILABLE.has(status));

const wait = async ({ name, onWait }: RemoteAccess, seconds: number): Promise<void> => {
  if (seconds >= REPORTED_WAIT_S) onWait?.(`${name} asks to wait ${Math.ceil(seconds)} s.`);
  await sleep(seconds * 1000);
};

const attempt = (access: RemoteAccess, request: RemoteRequest): Promise<Response> => {
  const { method, path, body, timeoutMs = TIMEOUT_MS } = request;
  const isForm = body instanceof FormData;
  return fetch(`${access.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${access.token}`,
      accept: 'application/json',
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    // A redirect would send the token to another address, and turn a POST into a GET.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
};

/** Sends a request, and retries it as long as that cannot write anything twice. */
async function sendWithRetries(
  access: RemoteAccess,
  request: RemoteRequest,
): Promise<{ readonly response: Response; readonly text: string }> {
  for (let count = 0; ; count++) {
    const isLast = count === ATTEMPTS - 1;
    try {
      const response = await attempt(access, request);
      const text = await response.text();
      const seconds = secondsUntilRetry(response.headers, count);
      if (isLast || seconds > LONGEST_WAIT_S || !mayRetry(response.status, request))
        return { response, text };
      await wait(access, seconds);
    } catch (error) {
      if (isLast || !request.isRepeatable || isNeverSent(error))
        throw brokenConnection(access, request.isRepeatable, error);
      await wait(access, 2 ** count / 4);
    }
  }
}

/** Returns the JSON of a text. Undefined: it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request in any form that the API accepts. */
interface ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The response to a request with any status. */
interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends a request once and returns the response with any status.
 *
 * @throws `remote/unreachable`, `remote/uncertain`
 */
export async function exchange(
  access: RemoteAccess,
  { method, url, headers, body }: ExchangeRequest,
): Promise<Exchange> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${access.token}` },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  } catch (error) {
    throw brokenConnection(access, method === 'GET', error);
  }
}

type ResponseBody = Readonly<Record<string, unknown>> | readonly unknown[];

/** The response of a server without the expected endpoint, which is therefore another kind of server. */
const MISSING = { status: 404, body: undefined } as const;

/**
 * Sends a request and returns the JSON of the response.
 *
 * @throws `remote/unreachable`, `remote/uncertain`, `remote/unexpected-response`, and the errors of
 *   {@link errorOfResponse}
 */
export async function sendRequest(access: RemoteAccess, request: RemoteRequest): Promise<ResponseBody> {
  const body = await findByRequest(access, request);
  if (body !== null) return body;
  throw errorOfResponse(access, MISSING);
}

/**
 * Sends a request and returns the JSON of the response. Null: the API responds that the resource does not
 * exist.
 *
 * @throws the errors of {@link sendRequest}
 */
export async function findByRequest(
  access: RemoteAccess,
  request: RemoteRequest,
): Promise<ResponseBody | null> {
  const { response, text } = await sendWithRetries(access, request);
  const body = parseJson(text);
  if (response.ok && (isRecord(body) || Array.isArray(body))) return body;
  if (response.status === MISSING.status && isRecord(body) && isRecord(body['error'])) return null;
  throw errorOfResponse(access, { status: response.status, headers: response.headers, body });
}
