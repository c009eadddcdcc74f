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
  'precondition-failed': { status: 412, name: 'PreconditionFailedError' },
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
  | 'precondition-failed'
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

/** One invalid value in the data of a request. */
export interface ValidationIssue {
  /** The path from the root of `data` to the value. Indexes are decimal strings. Never empty. */
  readonly path: readonly string[];
  readonly message: string;
  readonly name: 'ValidationError';
  /** The value, as JSON. Absent: there is none, or clients must not see it. */
  readonly value?: unknown;
}

/** One mistake in a file. */
export interface FileIssue {
  readonly file: string;
  readonly line: number;
  /** The path to the value in the file. Empty: the mistake is about the file as a whole. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The public details of an error. Sent to clients unchanged. */
export interface ErrorDetails {
  readonly errors?: readonly ValidationIssue[];
  /** All mistakes in files, which the message lists, too. */
  readonly fileIssues?: readonly FileIssue[];
  readonly [key: string]: unknown;
}

interface GalleyErrorInit {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

/**
 * The only error class that the toolkit throws on purpose. `message` and `details` are public; `cause` is
 * only logged. Created by `createError` from the catalogue, never constructed otherwise.
 */
export class GalleyError extends Error {
  /** The name that clients see. Project code distinguishes errors by it, like those of Strapi. */
  override readonly name: string;
  readonly code: string;
  readonly kind: ErrorKind;
  /** Remedy for the problem: the change to make, or the command to run. */
  readonly hint: string | undefined;
  readonly details: ErrorDetails;

  constructor(init: GalleyErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = HTTP_ERRORS[init.kind]?.name ?? 'GalleyError';
    this.code = init.code;
    this.kind = init.kind;
    this.hint = init.hint;
    this.details = init.details ?? {};
  }
}

export function isGalleyError(error: unknown): error is GalleyError {
  return error instanceof GalleyError;
}
