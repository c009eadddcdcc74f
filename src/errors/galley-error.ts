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

/** One invalid value in the data of a request. */
export interface ValidationIssue {
  /** The path from the root of `data` to the value. Indexes are decimal strings. Never empty. */
  readonly path: readonly string[];
  readonly message: string;
  readonly name: 'ValidationError';
}

/** The public details of an error. Sent to clients unchanged. */
export interface ErrorDetails {
  readonly errors?: readonly ValidationIssue[];
  readonly [key: string]: unknown;
}

export interface GalleyErrorInit {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

/**
 * The only error class that the toolkit throws on purpose. `message` and `details` are public; `cause` is
 * only logged. Created by `createError` from the catalogue, never constructed elsewhere.
 */
export class GalleyError extends Error {
  override readonly name = 'GalleyError';
  readonly code: string;
  readonly kind: ErrorKind;
  /** How to solve the problem: what to change, or which command to run. */
  readonly hint: string | undefined;
  readonly details: ErrorDetails;

  constructor(init: GalleyErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.kind = init.kind;
    this.hint = init.hint;
    this.details = init.details ?? {};
  }
}

export function isGalleyError(error: unknown): error is GalleyError {
  return error instanceof GalleyError;
}
