import type { ErrorKind } from './error-kind.js';
import { HTTP_ERRORS } from './error-kind.js';

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
