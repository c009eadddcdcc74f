import type { GalleyError } from '../errors/galley-error.js';
import { HTTP_ERRORS } from '../errors/http-status.js';

/** Kinds that only the command line knows are the server's own fault when they come up in a request. */
const INTERNAL = { status: 500, name: 'InternalServerError' };

/** The HTTP status of an error. */
export function statusOf(error: GalleyError): number {
  return (HTTP_ERRORS[error.kind] ?? INTERNAL).status;
}

/** The body every refused request gets. What is the server's own fault is not described to clients. */
export function printError(error: GalleyError): string {
  const { status, name } = HTTP_ERRORS[error.kind] ?? INTERNAL;
  const isOurs = status === INTERNAL.status;
  const message = isOurs ? 'Internal Server Error' : error.message;
  return JSON.stringify({ data: null, error: { status, name, message, details: isOurs ? {} : error.details } });
}
