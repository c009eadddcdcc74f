import { createError } from './catalogue.js';
import type { ErrorCode } from './catalogue.js';
import { isGalleyError } from './galley-error.js';
import type { ErrorDetails, GalleyError } from './galley-error.js';

/** Error codes by the names of the classes in project-errors.ts. */
const CODES_BY_NAME: ReadonlyMap<unknown, ErrorCode> = new Map<string, ErrorCode>([
  ['ApplicationError', 'project/application-error'],
  ['ValidationError', 'project/validation-error'],
  ['PaginationError', 'project/pagination-error'],
  ['NotFoundError', 'project/not-found-error'],
  ['ForbiddenError', 'project/forbidden-error'],
  ['UnauthorizedError', 'project/unauthorized-error'],
  ['PayloadTooLargeError', 'project/payload-too-large-error'],
  ['PolicyError', 'project/policy-error'],
  ['RateLimitError', 'project/rate-limit-error'],
  ['NotImplementedError', 'project/not-implemented-error'],
]);

/** Error codes by HTTP status, for errors of the package http-errors. */
const CODES_BY_STATUS: ReadonlyMap<unknown, ErrorCode> = new Map<number, ErrorCode>([
  [400, 'project/application-error'],
  [401, 'project/unauthorized-error'],
  [403, 'project/forbidden-error'],
  [404, 'project/not-found-error'],
  [413, 'project/payload-too-large-error'],
  [429, 'project/rate-limit-error'],
]);

/**
 * Returns the code of an error for clients, or undefined if clients must not see its message. Errors of
 * http-errors state that in `expose`.
 */
const codeOf = (error: Error): ErrorCode | undefined => {
  const expose: unknown = Reflect.get(error, 'expose');
  if (expose === false) return undefined;
  const code = CODES_BY_NAME.get(error.name);
  return code ?? (expose === true ? CODES_BY_STATUS.get(Reflect.get(error, 'statusCode')) : undefined);
};

/** Returns a JSON copy of the details, or undefined if they cannot be expressed as JSON. */
const copyDetails = (details: unknown): ErrorDetails | undefined => {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return undefined;
  try {
    return JSON.parse(JSON.stringify(details)) as ErrorDetails;
  } catch {
    return undefined;
  }
};

/**
 * Converts an error that project code throws for the client to a catalogue error. Returns null for any other
 * error. Errors are recognised by their names, because a project may use another copy of the classes, or
 * those of `@strapi/utils`.
 */
export function toPublicError(error: unknown): GalleyError | null {
  if (!(error instanceof Error) || isGalleyError(error)) return null;
  const code = codeOf(error);
  if (code === undefined) return null;
  const details = copyDetails(Reflect.get(error, 'details'));
  return createError(
    code,
    { message: error.message },
    { cause: error, ...(details === undefined ? {} : { details }) },
  );
}
