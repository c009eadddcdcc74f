import { HTTP_ERRORS } from './galley-error.js';
import type { ErrorDetails, GalleyError, ValidationIssue } from './galley-error.js';

/** Longer messages quote text of the client. */
const MAX_MESSAGE_LENGTH = 2000;

/** The most errors that one response lists. */
const MAX_ERRORS = 100;

const MAX_VALUE_LENGTH = 2000;

export function boundMessage(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
}

/** Returns the errors that a response lists, and the number of those that it omits. */
export function boundErrors<Item>(errors: readonly Item[]): {
  readonly listed: readonly Item[];
  readonly omitted: number;
} {
  const listed = errors.length > MAX_ERRORS ? errors.slice(0, MAX_ERRORS) : errors;
  return { listed, omitted: errors.length - listed.length };
}

const isLong = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length > MAX_VALUE_LENGTH
    : typeof value === 'object' && value !== null && JSON.stringify(value).length > MAX_VALUE_LENGTH;

/** Project code may list any value. A client knows the value at a path, so long values are omitted. */
const boundIssue = (issue: unknown): unknown => {
  if (typeof issue !== 'object' || issue === null || Array.isArray(issue))
    return isLong(issue) ? boundMessage(String(issue)) : issue;
  const { message, value, ...rest } = issue as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(typeof message === 'string' ? { message: boundMessage(message) } : {}),
    ...(value === undefined || isLong(value) ? {} : { value }),
  };
};

const boundTexts = (details: ErrorDetails): ErrorDetails =>
  Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      typeof value === 'string' ? boundMessage(value) : value,
    ]),
  );

/** Bounds texts and the list of invalid values. `omittedErrors` counts the omitted ones. */
export function boundDetails(details: ErrorDetails): ErrorDetails {
  const { errors } = details;
  if (!Array.isArray(errors)) return boundTexts(details);
  const { listed, omitted } = boundErrors<unknown>(errors);
  return {
    ...boundTexts(details),
    errors: listed.map(boundIssue) as readonly ValidationIssue[],
    ...(omitted === 0 ? {} : { omittedErrors: omitted }),
  };
}

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
