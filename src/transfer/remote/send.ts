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

interface Answer {
  readonly status: number;
  /** Absent: it is a part of an answer, about one of several writes. */
  readonly headers?: Headers;
  /** The JSON of the body. Undefined: it is none. */
  readonly answer: unknown;
}

const isIssue = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value['path']) && typeof value['message'] === 'string';

/** Keeps the issues, which commands put beside lines of files. */
const detailsOf = (details: unknown): ErrorDetails => {
  if (!isRecord(details)) return {};
  const { errors, ...others } = details;
  if (!Array.isArray(errors) || !errors.every(isIssue)) return others;
  return { ...others, errors: errors as NonNullable<ErrorDetails['errors']> };
};

/** No endpoint answers so as a whole. */
const ABSENT_STATUSES: ReadonlySet<number> = new Set([404, 405]);

/** Without an envelope, somebody else has answered than the API. */
const foreignAnswer = ({ name, url }: RemoteName, { status, headers }: Answer): GalleyError => {
  const location = headers?.get('location') ?? null;
  const isMissing = ABSENT_STATUSES.has(status);
  const other = isMissing ? 'there is nothing' : `it answers with status ${status}, and no JSON`;
  const reason = location === null ? other : `it leads to ${location}`;
  return createError('remote/unexpected-answer', { name, url, reason });
};

const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Returns the error that an answer tells, with what the server says of it. */
export function errorOfAnswer(remote: RemoteName, received: Answer): GalleyError {
  const { status, answer } = received;
  const { name, url } = remote;
  const error = isRecord(answer) ? answer['error'] : undefined;
  const told = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : null;
  if (status === 401) return createError('remote/unauthorized', { name, url });
  if (BUSY.has(status)) return createError('remote/busy', { name, reason: told ?? `status ${status}` });
  const isElsewhere = received.headers !== undefined && ABSENT_STATUSES.has(status);
  if (told === null || !isRecord(error) || isElsewhere) return foreignAnswer(remote, received);
  const details = detailsOf(error['details']);
  if (status === 403) return createError('remote/forbidden', { name, reason: told }, { details });
  const reason = status >= 500 ? `${name}: ${told}` : told;
  return createError('remote/refused', { reason }, { details });
}

/** The connection was not made, so that the server knows nothing of the request. */
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

/** True if the server cannot have seen a request. */
function isNeverSent(error: unknown): boolean {
  return codesOf(error).some((code) => NEVER_SENT.has(code) || /CERT|TLS|SSL/.test(String(code)));
}

/** fetch says why only in the innermost cause. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'there was no answer in time';
  const messages = causesOf(error).flatMap((cause) =>
    cause instanceof Error && cause.message !== '' ? [cause.message] : [],
  );
  return messages.at(-1) ?? String(error);
};

/**
 * Returns the error of a connection that broke. Errors of answers stay as they are.
 *
 * @param isRepeatable whether nothing can have been written
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
  /** Behind the address of the API: `/cms/about`. */
  readonly path: string;
  /** Sent as JSON, unless it is a form. */
  readonly body?: unknown;
  /** True if it may be sent again where it is not known what became of it. */
  readonly isRepeatable: boolean;
  readonly timeoutMs?: number;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 60_000;
/** The longest that a server may have us wait at a time. */
const LONGEST_WAIT_S = 120;
/** Waits longer than this are told. */
const TOLD_FROM_S = 2;

/** Seconds to wait before another attempt. */
const secondsUntilRetry = (headers: Headers, attempt: number): number => {
  const stated = headers.get('retry-after');
  if (stated === null) return 2 ** attempt / 4;
  const seconds = /^\d+$/.test(stated) ? Number(stated) : (Date.parse(stated) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 1;
};

const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** A request that came too often was not looked at, so that it can always be sent again. */
const mayRetry = (status: number, { isRepeatable }: RemoteRequest): boolean =>
  status === 429 || (isRepeatable && UNAVAILABLE.has(status));

const wait = async ({ name, onWait }: RemoteAccess, seconds: number): Promise<void> => {
  if (seconds >= TOLD_FROM_S) onWait?.(`${name} asks to wait ${Math.ceil(seconds)} s.`);
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
    // Another address must not get the token, and a POST would become a GET.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
};

/** Sends a request until it is answered, as long as that cannot write anything twice. */
async function sendUntilAnswered(
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

const parseAnswer = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type RemoteAnswer = Readonly<Record<string, unknown>> | readonly unknown[];

/** The response of a server that lacks an expected endpoint, and is therefore another kind of server. */
const MISSING = { status: 404, answer: undefined } as const;

/**
 * Sends a request and returns the JSON that it is answered with.
 *
 * @throws `remote/unreachable`, `remote/uncertain`, `remote/unexpected-answer`, and what `errorOfAnswer`
 *   returns
 */
export async function sendRequest(access: RemoteAccess, request: RemoteRequest): Promise<RemoteAnswer> {
  const answer = await findByRequest(access, request);
  if (answer !== null) return answer;
  throw errorOfAnswer(access, MISSING);
}

/**
 * Returns the answer to a request, or null where the API says that there is nothing.
 *
 * @throws the same
 */
export async function findByRequest(
  access: RemoteAccess,
  request: RemoteRequest,
): Promise<RemoteAnswer | null> {
  const { response, text } = await sendUntilAnswered(access, request);
  const answer = parseAnswer(text);
  if (response.ok && (isRecord(answer) || Array.isArray(answer))) return answer;
  if (response.status === MISSING.status && isRecord(answer) && isRecord(answer['error'])) return null;
  throw errorOfAnswer(access, { status: response.status, headers: response.headers, answer });
}
