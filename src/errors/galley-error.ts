/** What went wrong, independent of any transport: REST maps it to a status, GraphQL to an extension code, the command line to an exit code. */
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
  | 'headers-too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'unavailable'
  | 'internal'
  | 'usage'
  | 'failure'
  | 'data-loss'
  | 'pending';

/** One fault in a value somebody sent. `path` leads from the root of `data` to the value; indexes are decimal strings. Never empty. */
export interface ValueFault {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: 'ValidationError';
}

/** The public part of an error beyond its message; sent to clients as it is. */
export interface ErrorDetails {
  readonly errors?: readonly ValueFault[];
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
 * The only error the toolkit throws on purpose. `message` and `details` are public; `cause` is for the log and never leaves the process.
 * Made by {@link fail} from the catalogue, never constructed with free text elsewhere.
 */
export class GalleyError extends Error {
  override readonly name = 'GalleyError';
  readonly code: string;
  readonly kind: ErrorKind;
  /** The remedy: what to do or which command to run next. */
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
