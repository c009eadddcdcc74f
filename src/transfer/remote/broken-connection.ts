import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { RemoteName } from './error-of-answer.js';

/** The connection was not made, so that the server knows nothing of the request. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const causesOf = (error: unknown): readonly unknown[] => {
  if (!(error instanceof Error)) return [error];
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...inner.flatMap(causesOf), ...(error.cause === undefined ? [] : causesOf(error.cause))];
};

const codesOf = (error: unknown): readonly unknown[] =>
  causesOf(error).flatMap((cause) =>
    typeof cause === 'object' && cause !== null && 'code' in cause ? [cause.code] : [],
  );

/** True if the server cannot have seen a request. */
export function isNeverSent(error: unknown): boolean {
  return codesOf(error).some((code) => NEVER_SENT.has(code) || /CERT|TLS|SSL/.test(String(code)));
}

/** fetch says why only in the innermost cause. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'there was no answer in time';
  const messages = causesOf(error).flatMap((cause) =>
    cause instanceof Error && cause.message !== '' ? [cause.message] : [],
  );
  return messages.at(-1) ?? String(error);
};

/**
 * Returns the error of a connection that broke. Errors of answers stay as they are.
 *
 * @param isRepeatable whether nothing can have been written
 */
export function brokenConnection(
  { name, url }: RemoteName,
  isRepeatable: boolean,
  error: unknown,
): GalleyError {
  if (isGalleyError(error)) return error;
  const reason = reasonOf(error);
  return isRepeatable || isNeverSent(error)
    ? createError('remote/unreachable', { name, url, reason }, { cause: error })
    : createError('remote/uncertain', { name, reason }, { cause: error });
}
