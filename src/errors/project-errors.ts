import type { ErrorDetails } from './galley-error.js';

/**
 * Errors that project code throws to inform the client: in a hook, policy, middleware, resolver or route.
 * Their names, statuses and default messages are those of Strapi's `errors`. Any other error is logged and
 * becomes a 500 without details.
 */

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
