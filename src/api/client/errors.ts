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
  429: RateLimitError,
};

/** Creates the error for an HTTP status. */
export function createApiError(status: number, body: ErrorBody, retryAfter?: number | null): ApiError {
  return new (CLASSES[status] ?? ApiError)(status, body, retryAfter);
}
