/** The HTTP status and the error name in responses. Null for kinds that only occur in commands. */
export const HTTP_ERRORS: Readonly<
  Record<ErrorKind, { readonly status: number; readonly name: string } | null>
> = Object.freeze({
  validation: { status: 400, name: 'ValidationError' },
  pagination: { status: 400, name: 'PaginationError' },
  application: { status: 400, name: 'ApplicationError' },
  unauthorized: { status: 401, name: 'UnauthorizedError' },
  forbidden: { status: 403, name: 'ForbiddenError' },
  policy: { status: 403, name: 'PolicyError' },
  'not-found': { status: 404, name: 'NotFoundError' },
  'method-not-allowed': { status: 405, name: 'MethodNotAllowedError' },
  conflict: { status: 409, name: 'ConflictError' },
  'payload-too-large': { status: 413, name: 'PayloadTooLargeError' },
  'path-too-long': { status: 414, name: 'URITooLongError' },
  'unsupported-media-type': { status: 415, name: 'UnsupportedMediaTypeError' },
  'headers-too-large': { status: 431, name: 'HeadersTooLargeError' },
  'rate-limited': { status: 429, name: 'RateLimitError' },
  internal: { status: 500, name: 'InternalServerError' },
  'not-implemented': { status: 501, name: 'NotImplementedError' },
  unavailable: { status: 503, name: 'ServiceUnavailableError' },
  usage: null,
  failure: null,
  'data-loss': null,
  pending: null,
});

export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** The problem and its location. `{name}` is replaced by the parameter of that name. */
  readonly message: string;
  /** The remedy. A template like `message`. */
  readonly hint?: string;
}

/** Entries by code. Codes have the form `area/what` and never change. */
export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;

/**
 * The kind of an error, independent of any transport. REST maps it to a status, GraphQL to an extension code,
 * the command line to an exit code.
 */
export type ErrorKind =
  | 'validation'
  | 'pagination'
  | 'application'
  | 'unauthorized'
  | 'forbidden'
  | 'policy'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'payload-too-large'
  | 'path-too-long'
  | 'headers-too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'unavailable'
  | 'not-implemented'
  | 'internal'
  | 'usage'
  | 'failure'
  | 'data-loss'
  | 'pending';
