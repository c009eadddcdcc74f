import type { FastifyBaseLogger } from 'fastify';
import type { ErrorCode } from '../../errors/catalogue.js';
import { statusOf } from '../../errors/error-envelope.js';
import type { GalleyError } from '../../errors/galley-error.js';

/** Being busy is no fault. */
const BUSY: ReadonlySet<string> = new Set<ErrorCode>(['database/busy', 'upload/busy']);

/** Whoever would see the response is gone: nothing is wrong here. */
const ABANDONED: ErrorCode = 'request/abandoned';

/**
 * Logs why a request failed: faults of the server with their causes as errors, being busy as a warning, and
 * what clients do for whoever debugs.
 */
export function logRequestError(
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'debug'>,
  error: GalleyError,
): void {
  const { code, message } = error;
  if (BUSY.has(code)) log.warn({ err: error }, message);
  else if (statusOf(error) >= 500 && code !== ABANDONED)
    log.error({ err: error.cause ?? error, code }, message);
  else log.debug({ code }, message);
}
