import { boundDetails, boundMessage } from './bound-error.js';
import type { GalleyError } from './galley-error.js';
import { HTTP_ERRORS } from './http-status.js';

/** Kinds of errors that belong to the command line are internal errors in a request. */
const INTERNAL = { status: 500, name: 'InternalServerError' };

/** Returns the HTTP status of an error. */
export function statusOf(error: GalleyError): number {
  return (HTTP_ERRORS[error.kind] ?? INTERNAL).status;
}

/** Prints the body of a request that failed. Internal errors are not described to clients. */
export function printError(error: GalleyError): string {
  const { status, name } = HTTP_ERRORS[error.kind] ?? INTERNAL;
  const isInternal = status === INTERNAL.status;
  const message = isInternal ? 'Internal Server Error' : boundMessage(error.message);
  return JSON.stringify({
    data: null,
    error: { status, name, message, details: isInternal ? {} : boundDetails(error.details) },
  });
}
