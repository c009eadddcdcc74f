/** A reason for rejecting a value. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: string;
  /** The rejected value. Absent for passwords and private attributes. */
  readonly value?: unknown;
}

/** The error object in the body of a response. */
export interface ErrorBody {
  readonly name?: string;
  readonly message?: string;
  readonly details?: { readonly errors?: readonly Issue[]; readonly [key: string]: unknown };
}

/** A document as it is on the server, while the client has read another state of it. */
export interface PresentVersion {
  readonly status: 'draft' | 'published';
  readonly updatedAt: string;
  /** The attributes that the write selects. */
  readonly data: { readonly documentId: string; readonly [attribute: string]: unknown };
}

/** The server rejected a request. The status determines the class; `name` comes from the server. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: NonNullable<ErrorBody['details']>;
  /** The seconds to wait before another attempt, if the server sends them. */
  readonly retryAfter: number | null;

  constructor(status: number, { name, message, details }: ErrorBody, retryAfter: number | null = null) {
    super(message ?? `The server responded with status ${status}`);
    this.name = name ?? 'ApiError';
    this.status = status;
    this.details = details ?? {};
    this.retryAfter = retryAfter;
  }
}

/** Status 400: something in the request is invalid. */
export class ValidationError extends ApiError {
  /** The invalid values, with the reasons. */
  get issues(): readonly Issue[] {
    return this.details.errors ?? [];
  }
}

/** Status 401: there is no valid credential. */
export class UnauthorizedError extends ApiError {}

/** Status 403: the credential lacks the permission. */
export class ForbiddenError extends ApiError {}

/** Status 404: the resource does not exist, or the caller may not see it. */
export class NotFoundError extends ApiError {}

/** Status 412: another client has changed the document, or deleted it. Nothing was written. */
export class ChangedError extends ApiError {
  /** The present version. Null: there is none, or the caller may not read it. */
  get present(): PresentVersion | null {
    return (this.details['present'] as PresentVersion | null | undefined) ?? null;
  }
}

/** Status 429: too many attempts. */
export class RateLimitError extends ApiError {}

/** The server could not be reached, or the connection broke. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** One of the errors of a GraphQL operation. */
export interface GraphqlIssue {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A GraphQL operation has failed, at least in part. */
export class GraphqlError extends Error {
  override readonly name = 'GraphqlError';
  readonly errors: readonly GraphqlIssue[];
  /** The data of the parts of the operation that have not failed. */
  readonly data: unknown;

  constructor(errors: readonly GraphqlIssue[], data: unknown = null) {
    super(errors[0]?.message);
    this.errors = errors;
    this.data = data;
  }
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  412: ChangedError,
  429: RateLimitError,
};

/** Creates the error for an HTTP status. */
export function createApiError(status: number, body: ErrorBody, retryAfter?: number | null): ApiError {
  return new (CLASSES[status] ?? ApiError)(status, body, retryAfter);
}

/**
 * Prints an empty list, which a query string cannot contain. In a filter, null replaces it, which matches
 * nothing, or with `$notIn` everything.
 */
const printEmptyList = (key: string): readonly string[] => {
  if (/\[\$(i|notI)n]$/.test(key)) return [key];
  return /(^|\[)filters]?\[/.test(key) && !/\[\$\w+]$/.test(key) ? [`${key}[$in]`] : [];
};

const printPairs = (key: string, value: unknown): readonly string[] => {
  if (value === undefined) return [];
  if (value === null) return [key];
  if (value instanceof Date) return printPairs(key, value.toISOString());
  if (typeof value !== 'object') return [`${key}=${encodeURIComponent(value as string)}`];
  if (Array.isArray(value) && value.length === 0) return printEmptyList(key);
  return Object.entries(value).flatMap(([name, item]) => {
    const part = encodeURIComponent(name).replace('%24', '$');
    return printPairs(key === '' ? part : `${key}[${part}]`, item);
  });
};

/**
 * Prints parameters in bracket notation.
 *
 * @example
 *   printQueryString({ populate: { author: true }, sort: ['title'] });
 *   // '?populate[author]=true&sort[0]=title'
 */
function printQueryString(query: object): string {
  const pairs = printPairs('', query);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The tokens that keep a user signed in. */
export interface Session {
  readonly jwt: string;
  /** Present only if the server issues short-lived JWTs. */
  readonly refreshToken?: string;
}

/** A storage in which a session outlives the page, such as `localStorage`. */
export interface SessionStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The key of a stored session, and the name of the lock under which it is renewed. */
const SESSION_KEY = 'galley-session';

interface SessionStore {
  readonly get: () => Session | null;
  readonly set: (session: Session | null) => void;
}

/** Stores a session in memory, or in a storage that other pages share. */
function createSessionStore(storage?: SessionStorage): SessionStore {
  let session: Session | null = null;
  if (storage === undefined) return { get: () => session, set: (value) => void (session = value) };
  return {
    get: () => JSON.parse(storage.getItem(SESSION_KEY) ?? 'null') as Session | null,
    set: (value) =>
      value === null ? storage.removeItem(SESSION_KEY) : storage.setItem(SESSION_KEY, JSON.stringify(value)),
  };
}

export interface ClientOptions {
  /** The address of the server: `https://cms.example.com`. */
  readonly url: string;
  /** An API token. After signing in, the JWT of the session replaces it. */
  readonly token?: string;
  /** The storage of a session, such as `localStorage`. Default: in memory. */
  readonly storage?: SessionStorage;
  /** True if refresh tokens are kept in a cookie that scripts cannot read. */
  readonly cookies?: boolean;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `/api`. */
  readonly prefix?: string;
  /** Default: `/graphql`. */
  readonly graphqlPath?: string;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** A constructor such as that of `ws`, for platforms without one: Node before version 22. */
  readonly WebSocket?: new (url: string, protocol: string) => object;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of a request besides its method and path. */
export interface Outgoing extends RequestOptions {
  readonly query?: object | undefined;
  /** A form, or a value that is sent as JSON. */
  readonly body?: unknown;
  /** True if the request is sent without a credential. */
  readonly isAnonymous?: boolean;
}

export interface Transport {
  readonly options: ClientOptions;
  readonly sessions: SessionStore;
  readonly token: () => string | undefined;
  /** Sends a request. If the session has expired, renews it and sends the request again. */
  readonly send: (method: string, path: string, outgoing?: Outgoing) => Promise<unknown>;
  /** Renews the session, unless it was renewed since `usedToken`. Resolves to true if there is a session. */
  readonly renew: (usedToken: string | undefined) => Promise<boolean>;
}

interface ResponseBody {
  readonly error?: ErrorBody;
  readonly errors?: readonly GraphqlIssue[];
  readonly data?: unknown;
}

interface Locks {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy between client and server may respond with any text.
    return undefined;
  }
};

/** Returns the body of a response. Throws the error of one that failed. */
export const readResponse = (response: Response, text: string): unknown => {
  const body = parseJson(text) as ResponseBody | null | undefined;
  const { error, errors } = body ?? {};
  if (!response.ok) {
    const retryAfter = Number(response.headers.get('retry-after')) || null;
    throw createApiError(response.status, error ?? errors?.[0] ?? {}, retryAfter);
  }
  if (Array.isArray(errors)) throw new GraphqlError(errors as readonly GraphqlIssue[], body?.data);
  return body;
};

const COOKIES = { 'x-strapi-refresh-cookie': 'httpOnly' };

/** Sends a request once. Returns the response with any status. */
export async function fetchOnce(
  { url, cookies, fetch: send, headers: always }: ClientOptions,
  token: string | undefined,
  method: string,
  path: string,
  { query = {}, body, headers, signal }: Outgoing,
): Promise<Response> {
  const isForm = body instanceof FormData;
  const request: RequestInit = {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(cookies === true ? COOKIES : {}),
      ...always,
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(cookies === true ? { credentials: 'include' } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
  return (send ?? fetch)(url + path + printQueryString(query), request);
}

const attempt = async (
  options: ClientOptions,
  token: string | undefined,
  method: string,
  path: string,
  outgoing: Outgoing,
): Promise<unknown> => {
  try {
    const response = await fetchOnce(options, token, method, path, outgoing);
    return readResponse(response, await response.text());
  } catch (error) {
    if (error instanceof ApiError || error instanceof GraphqlError || outgoing.signal?.aborted === true)
      throw error;
    throw new NetworkError(`${method} ${options.url}${path} failed`, { cause: error });
  }
};

/** Renews the session. If two requests use the same refresh token, the server ends the session. */
const refresh = async (
  options: ClientOptions,
  sessions: SessionStore,
  usedToken: string | undefined,
): Promise<boolean> => {
  const session = sessions.get();
  // Another page that shares the storage may have renewed it.
  if (session !== null && session.jwt !== usedToken) return true;
  const { refreshToken } = session ?? {};
  if (refreshToken === undefined && options.cookies !== true) return false;
  try {
    const path = `${options.prefix}/auth/refresh`;
    const body = { refreshToken };
    sessions.set((await attempt(options, undefined, 'POST', path, { body })) as Session);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 401, 403].includes(error.status)) throw error;
    sessions.set(null);
    return false;
  }
};

/** Creates the function that sends requests, and sends one again after it has renewed the session. */
const createSend =
  ({ options, token, renew }: Omit<Transport, 'send'>): Transport['send'] =>
  async (method, path, outgoing = {}) => {
    const credential = outgoing.isAnonymous === true ? undefined : token();
    try {
      return await attempt(options, credential, method, path, outgoing);
    } catch (error) {
      const isStale = error instanceof UnauthorizedError && outgoing.isAnonymous !== true;
      if (!isStale || !(await renew(credential))) throw error;
      return attempt(options, token(), method, path, outgoing);
    }
  };

/** Returns a transport with the same session that sends its requests with another `fetch`. */
export function withFetch(transport: Transport, send: typeof fetch): Transport {
  const other = { ...transport, options: { ...transport.options, fetch: send } };
  return { ...other, send: createSend(other) };
}

/** Creates the transport that sends requests to one server, with the credential of one caller. */
export function createTransport(given: ClientOptions): Transport {
  const options = { prefix: '/api', ...given, url: given.url.replace(/\/+$/, '') };
  const sessions = createSessionStore(options.storage);
  const token = (): string | undefined => sessions.get()?.jwt ?? options.token;
  let renewal: Promise<boolean> | undefined;
  const renewOnce = (usedToken: string | undefined): Promise<boolean> => {
    const work = (): Promise<boolean> => refresh(options, sessions, usedToken);
    const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
    return options.storage === undefined || locks === undefined ? work() : locks.request(SESSION_KEY, work);
  };
  const renew = (usedToken: string | undefined): Promise<boolean> =>
    (renewal ??= renewOnce(usedToken).finally(() => {
      renewal = undefined;
    }));
  const transport = { options, sessions, token, renew };
  return { ...transport, send: createSend(transport) };
}
