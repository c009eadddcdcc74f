import { createError } from './catalogue.js';
import type { ErrorCode } from './catalogue.js';
import { isGalleyError } from './galley-error.js';
import type { ErrorKind, ErrorDetails, GalleyError } from './galley-error.js';

/**
 * Errors that project code throws to inform the client: in a hook, policy, middleware, resolver or route.
 * Their names, statuses and default messages are those of Strapi's `errors`. Any other error is logged and
 * becomes a 500 without details.
 */

/** True if an object inherits from a class. */
const isInherited = (inherited: object, value: unknown): boolean =>
  Object.prototype.isPrototypeOf.call(inherited, Object(value));

/**
 * A request that the project rejects: status 400.
 *
 * @example
 *   documents.before('create', () => {
 *     throw new ApplicationError('The shop is closed', { opensAt: '08:00' });
 *   });
 */
export class ApplicationError<Details extends ErrorDetails = ErrorDetails> extends Error {
  override name = 'ApplicationError';
  /** Sent to the client as `error.details`; must be JSON. */
  readonly details: Details;

  constructor(message = 'An application error occurred', details?: Details) {
    super(message);
    this.details = details ?? ({} as Details);
  }

  /** Errors that Galley throws are instances of the class that a project would throw in its place. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const prototype = this.prototype as object;
    if (isInherited(prototype, value)) return true;
    const counterpart = isGalleyError(value) ? counterpartOf(value.kind)?.prototype : undefined;
    return counterpart !== undefined && (counterpart === prototype || isInherited(prototype, counterpart));
  }
}

/**
 * An invalid value: status 400.
 *
 * @example
 *   throw new ValidationError('The price is too low', {
 *     errors: [{ path: ['price'], message: 'must be at least 5', name: 'ValidationError' }],
 *   });
 */
export class ValidationError<Details extends ErrorDetails = ErrorDetails> extends ApplicationError<Details> {
  override name = 'ValidationError';

  constructor(message = 'Validation error', details?: Details) {
    super(message, details);
  }
}

/**
 * A page that cannot be returned: status 400.
 *
 * @example
 *   throw new PaginationError('At most 10 pages');
 */
export class PaginationError<Details extends ErrorDetails = ErrorDetails> extends ApplicationError<Details> {
  override name = 'PaginationError';

  constructor(message = 'Invalid pagination', details?: Details) {
    super(message, details);
  }
}

/**
 * A resource that does not exist or that the caller must not learn about: status 404.
 *
 * @example
 *   throw new NotFoundError('There is no such order');
 */
export class NotFoundError<Details extends ErrorDetails = ErrorDetails> extends ApplicationError<Details> {
  override name = 'NotFoundError';

  constructor(message = 'Entity not found', details?: Details) {
    super(message, details);
  }
}

/**
 * An action that the caller is not allowed to do: status 403.
 *
 * @example
 *   throw new ForbiddenError('Only editors publish');
 */
export class ForbiddenError<Details extends ErrorDetails = ErrorDetails> extends ApplicationError<Details> {
  override name = 'ForbiddenError';

  constructor(message = 'Forbidden access', details?: Details) {
    super(message, details);
  }
}

/**
 * A request that requires a signed-in caller: status 401.
 *
 * @example
 *   throw new UnauthorizedError('Sign in first');
 */
export class UnauthorizedError<
  Details extends ErrorDetails = ErrorDetails,
> extends ApplicationError<Details> {
  override name = 'UnauthorizedError';

  constructor(message = 'Unauthorized', details?: Details) {
    super(message, details);
  }
}

/**
 * A request that is too large: status 413.
 *
 * @example
 *   throw new PayloadTooLargeError('At most 100 lines an order');
 */
export class PayloadTooLargeError<
  Details extends ErrorDetails = ErrorDetails,
> extends ApplicationError<Details> {
  override name = 'PayloadTooLargeError';

  constructor(message = 'Entity too large', details?: Details) {
    super(message, details);
  }
}

/**
 * A policy that rejects the request: status 403.
 *
 * @example
 *   throw new PolicyError('Only on Sundays', { policy: 'sundays' });
 */
export class PolicyError<Details extends ErrorDetails = ErrorDetails> extends ForbiddenError<Details> {
  override name = 'PolicyError';

  constructor(message = 'Policy Failed', details?: Details) {
    super(message, details);
  }
}

/**
 * Too many requests: status 429.
 *
 * @example
 *   throw new RateLimitError('Try again in a minute');
 */
export class RateLimitError<Details extends ErrorDetails = ErrorDetails> extends ApplicationError<Details> {
  override name = 'RateLimitError';

  constructor(message = 'Too many requests, please try again later.', details?: Details) {
    super(message, details);
  }
}

/**
 * A feature that the project does not support yet: status 501.
 *
 * @example
 *   throw new NotImplementedError('Refunds are not supported');
 */
export class NotImplementedError<
  Details extends ErrorDetails = ErrorDetails,
> extends ApplicationError<Details> {
  override name = 'NotImplementedError';

  constructor(message = 'This feature is not implemented yet', details?: Details) {
    super(message, details);
  }
}

/** Returns the class of this file for a kind of error. Undefined: the request did not cause the error. */
const counterpartOf = (kind: ErrorKind): typeof ApplicationError | undefined => {
  switch (kind) {
    case 'validation':
      return ValidationError;
    case 'pagination':
      return PaginationError;
    case 'unauthorized':
      return UnauthorizedError;
    case 'forbidden':
      return ForbiddenError;
    case 'policy':
      return PolicyError;
    case 'not-found':
      return NotFoundError;
    case 'payload-too-large':
      return PayloadTooLargeError;
    case 'not-implemented':
      return NotImplementedError;
    case 'rate-limited':
      return RateLimitError;
    case 'application':
    case 'conflict':
      return ApplicationError;
    default:
      return undefined;
  }
};

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
