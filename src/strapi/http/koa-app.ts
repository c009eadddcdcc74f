import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import type Koa from 'koa';
import qs from 'qs';
import { parseQueryString } from '../../api/rest/parse-query-string.js';
import { toUnavailableError } from '../../database/database-error.js';
import { printError, statusOf } from '../../errors/error-envelope.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { camelCase } from '../../lib/names.js';
import { propertyOf } from '../../lib/records.js';
import type { Logger } from '../../server/logger.js';
import type { Context } from './context.js';

/** The response to a request for which project code has thrown an error. */
interface ErrorResponse {
  readonly status: number;
  readonly body: unknown;
  /** True if the error is unexpected and must be logged. */
  readonly isUnexpected: boolean;
}

/** Statuses by the names of the error classes of `@strapi/utils`. Projects may use another copy of these. */
const STATUS_BY_CLASS: ReadonlyMap<string, number> = new Map([
  ['UnauthorizedError', 401],
  ['ForbiddenError', 403],
  ['NotFoundError', 404],
  ['PayloadTooLargeError', 413],
  ['RateLimitError', 429],
  ['NotImplementedError', 501],
  ['ApplicationError', 400],
]);

const APPLICATION_ERROR = 'ApplicationError';

/** Returns the names of an error's classes, the most specific first. */
const classNames = (error: object): readonly string[] => {
  const names: string[] = [];
  for (let current: unknown = error; typeof current === 'object' && current !== null;) {
    const prototype: unknown = Object.getPrototypeOf(current);
    const constructor = propertyOf(prototype, 'constructor');
    if (typeof constructor === 'function') names.push(constructor.name);
    current = prototype;
  }
  return names;
};

/** Returns the standard text of a status: `Not Found`. */
function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Error';
}

/** Returns the name of the error for a status: `NotFoundError`. */
function errorName(status: number): string {
  const name = statusText(status)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replaceAll(/\W/g, '');
  return name.endsWith('Error') ? name : `${name}Error`;
}

/** Returns the body of an error response. */
function errorBody(status: number, name: string, message: string, details?: unknown): unknown {
  return { data: null, error: { status, name, message, details } };
}

const internalError = (status: number): ErrorResponse => ({
  status,
  body: errorBody(status, errorName(status), statusText(status)),
  isUnexpected: true,
});

/** Returns the status of an error. Any status is valid, since `ctx.throw(200)` responds with 200. */
const statusIn = (error: Error, key: string): number | undefined => {
  const value: unknown = Reflect.get(error, key);
  if (typeof value !== 'number' || value < 200 || value >= 600) return undefined;
  return value >= 400 || value in STATUS_CODES ? value : undefined;
};

/**
 * Returns the response to an error that project code has thrown: one of Strapi's errors, an error with a
 * status, as `ctx.throw` creates, or an unexpected error, whose details are hidden.
 */
export function errorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof Error)) return internalError(500);
  if (isGalleyError(error)) {
    const status = statusOf(error);
    return { status, body: JSON.parse(printError(error)) as unknown, isUnexpected: status >= 500 };
  }
  const unavailable = toUnavailableError(error);
  if (unavailable !== null) return errorResponse(unavailable);
  const { name, message } = error;
  const details: unknown = Reflect.get(error, 'details');
  const classes = [...classNames(error), name];
  if (classes.includes(APPLICATION_ERROR) || STATUS_BY_CLASS.has(name)) {
    const known = classes.find((each) => STATUS_BY_CLASS.has(each));
    const status = known === undefined ? 400 : (STATUS_BY_CLASS.get(known) ?? 400);
    return { status, body: errorBody(status, name, message, details), isUnexpected: false };
  }
  const status = statusIn(error, 'status') ?? statusIn(error, 'statusCode');
  if (status === undefined) return internalError(500);
  const isExposed: unknown = Reflect.get(error, 'expose') ?? status < 500;
  if (isExposed !== true) return internalError(status);
  return { status, body: errorBody(status, name, message, details), isUnexpected: false };
}

/** The part of Koa's response that is read and written. */
interface Response {
  status: number;
  body: unknown;
}

type Query = Record<string, unknown>;

/** Koa's request with its parsed queries, by their query strings. */
interface ParsedRequest {
  querystring: string;
  parsedQueries?: Map<string, Query>;
}

/** The key of Fastify's response, until project code replaces its body. */
const FASTIFY_RESPONSE = Symbol('fastifyResponse');

/** A response of Fastify, which Koa's middlewares may read and change. */
export interface FastifyResponse {
  readonly payload: unknown;
  readonly isJson: boolean;
  /** True if project code must find no body, as Strapi has none if nothing is found. */
  readonly isMissing: boolean;
  /** The parsed body, set once project code has read it. */
  parsed?: unknown;
}

const respondWithError = (status: number) =>
  function respond(this: Response, message: unknown = statusText(status), details: unknown = {}): void {
    const text = typeof message === 'string' ? message : statusText(status);
    this.status = status;
    this.body = errorBody(status, errorName(status), text, details);
  };

const RESPONSE_METHODS: Readonly<Record<string, (this: Response, ...values: never[]) => void>> = {
  send(data: unknown, status = 200): void {
    this.status = status;
    this.body = data;
  },
  created(data: unknown): void {
    this.status = 201;
    this.body = data;
  },
  deleted(data: unknown): void {
    this.status = (data ?? null) === null ? 204 : 200;
    if ((data ?? null) !== null) this.body = data;
  },
};

const errorMethodName = (status: number): string => camelCase(statusText(status).replaceAll("'", ''));

const addResponses = (app: Koa): void => {
  const errors = Object.keys(STATUS_CODES)
    .map(Number)
    .filter((status) => status >= 400)
    .map((status) => [errorMethodName(status), respondWithError(status)] as const);
  for (const [name, respond] of [...Object.entries(RESPONSE_METHODS), ...errors]) {
    Object.defineProperty(app.response, name, { value: respond, configurable: true, writable: true });
    Object.defineProperty(app.context, name, {
      configurable: true,
      writable: true,
      value(this: Context, ...values: never[]): void {
        Reflect.apply(respond, this.response, values);
      },
    });
  }
};

/** Parses a query into objects with a prototype, since code written for Strapi calls `hasOwnProperty`. */
const parseQuery = (text: string): Query =>
  text === '' ? {} : (JSON.parse(JSON.stringify(parseQueryString(text))) as Query);

const replaceQueryParser = (app: Koa): void => {
  Object.defineProperty(app.request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: ParsedRequest): Query {
      const queries = (this.parsedQueries ??= new Map());
      const text = this.querystring;
      const known = queries.get(text);
      if (known !== undefined) return known;
      const query = parseQuery(text);
      queries.set(text, query);
      return query;
    },
    set(this: ParsedRequest, query: Query) {
      this.querystring = qs.stringify(query, { strictNullHandling: true });
    },
  });
};

const parseFastifyBody = (response: FastifyResponse): unknown => {
  const { payload, isJson, isMissing } = response;
  if (isMissing) return undefined;
  if (response.parsed !== undefined || !isJson) return response.parsed ?? payload;
  const text = Buffer.isBuffer(payload) ? payload.toString() : payload;
  if (typeof text !== 'string' || text === '') return payload;
  try {
    response.parsed = JSON.parse(text) as unknown;
    return response.parsed;
  } catch {
    return payload;
  }
};

/** Makes the body of Fastify's response readable. It is parsed at the first access. */
const exposeFastifyBody = (app: Koa): void => {
  const original =
    Object.getOwnPropertyDescriptor(app.response, 'body') ??
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(app.response), 'body');
  Object.defineProperty(app.response, 'body', {
    configurable: true,
    get(this: { [FASTIFY_RESPONSE]?: FastifyResponse | undefined }): unknown {
      const response = this[FASTIFY_RESPONSE];
      return response === undefined ? original?.get?.call(this) : parseFastifyBody(response);
    },
    set(this: { [FASTIFY_RESPONSE]?: FastifyResponse | undefined }, body: unknown) {
      this[FASTIFY_RESPONSE] = undefined;
      original?.set?.call(this, body);
    },
  });
};

export interface KoaAppOptions {
  readonly keys: readonly string[] | undefined;
  readonly isProxied: boolean;
  readonly logger: Logger;
}

/**
 * Koa is a CommonJS package. Some of its dependencies cannot be imported where modules are transpiled as they
 * load.
 */
const require = createRequire(import.meta.url);

/** Creates the Koa application that contexts belong to. It does not serve requests; Fastify does. */
export function createKoaApp({ keys, isProxied, logger }: KoaAppOptions): Koa {
  const KoaApp = require('koa') as typeof Koa;
  const app = new KoaApp({ proxy: isProxied });
  if (keys !== undefined) app.keys = [...keys];
  addResponses(app);
  replaceQueryParser(app);
  exposeFastifyBody(app);
  Object.assign(app.context, {
    log: logger,
    // Fastify ends streams that fail.
    onerror: (error: unknown) => {
      if (error instanceof Error) logger.debug({ err: error }, 'A response could not be sent');
    },
  });
  return app;
}

/** Gives a context the response of Fastify. */
export function setFastifyResponse(context: Context, response: FastifyResponse, status: number): void {
  Object.assign(context.res, { statusCode: status });
  Object.assign(context.response, { _explicitStatus: true, [FASTIFY_RESPONSE]: response });
}

/** Returns the response of Fastify, or undefined if project code has replaced it. */
export function fastifyResponseOf(context: Context): FastifyResponse | undefined {
  return (context.response as { [FASTIFY_RESPONSE]?: FastifyResponse })[FASTIFY_RESPONSE];
}

/** True if project code has set the body to null, so that Koa sends none with any status. */
export function hasExplicitNullBody(context: Context): boolean {
  return Reflect.get(context.response, '_explicitNullBody') === true;
}

/** True if the status or the body of the response is set. */
export function hasResponse(context: Context): boolean {
  return Reflect.get(context.response, '_explicitStatus') === true;
}

/** Returns the query string if project code has changed the parsed query, else null. */
export function changedQueryString(context: Context): string | null {
  const { parsedQueries, querystring } = context.request as unknown as ParsedRequest;
  const query = parsedQueries?.get(querystring);
  if (query === undefined) return null;
  const before = qs.stringify(parseQuery(querystring), { strictNullHandling: true });
  const after = qs.stringify(query, { strictNullHandling: true });
  return after === before ? null : after;
}
