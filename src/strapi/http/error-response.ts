import { toUnavailableError } from '../../database/unavailable-error.js';
import { printError, statusOf } from '../../errors/error-envelope.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { STATUS_CODES } from 'node:http';

/** The response to a request for which project code has thrown an error. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: unknown;
  /** True if nobody meant to throw it, so that it has to be logged. */
  readonly isUnexpected: boolean;
}

/** Statuses by the names of the classes of `@strapi/utils`, whichever copy a project uses. */
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

/** The names of the classes of an error, the nearest first. */
const classNames = (error: object): readonly string[] => {
  const names: string[] = [];
  for (let current: unknown = error; typeof current === 'object' && current !== null;) {
    const prototype: unknown = Object.getPrototypeOf(current);
    const constructor: unknown =
      typeof prototype === 'object' && prototype !== null ? Reflect.get(prototype, 'constructor') : undefined;
    if (typeof constructor === 'function') names.push(constructor.name);
    current = prototype;
  }
  return names;
};

/** The standard text of a status: `Not Found`. */
export function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Error';
}

/** The name of the error of a status: `NotFoundError`. */
export function errorName(status: number): string {
  const name = statusText(status)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replaceAll(/\W/g, '');
  return name.endsWith('Error') ? name : `${name}Error`;
}

/** The body of an error response. */
export function errorBody(status: number, name: string, message: string, details?: unknown): unknown {
  return { data: null, error: { status, name, message, details } };
}

const internalError = (status: number): ErrorResponse => ({
  status,
  body: errorBody(status, errorName(status), statusText(status)),
  isUnexpected: true,
});

/** The status of an error. Any status counts, since `ctx.throw(200)` responds with 200. */
const numberOf = (error: Error, key: string): number | undefined => {
  const value: unknown = Reflect.get(error, key);
  if (typeof value !== 'number' || value < 200 || value >= 600) return undefined;
  return value >= 400 || value in STATUS_CODES ? value : undefined;
};

/**
 * Returns the response to an error that project code threw: one of Strapi's errors, one with a status, as
 * `ctx.throw` makes them, or any other, of which clients learn nothing.
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
  const status = numberOf(error, 'status') ?? numberOf(error, 'statusCode');
  if (status === undefined) return internalError(500);
  const isExposed: unknown = Reflect.get(error, 'expose') ?? status < 500;
  if (isExposed !== true) return internalError(status);
  return { status, body: errorBody(status, name, message, details), isUnexpected: false };
}
