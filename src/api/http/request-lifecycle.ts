import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { ErrorCode } from '../../errors/catalogue.js';
import { statusOf } from '../../errors/error-envelope.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { LazySignal } from '../../lib/resources.js';

/**
 * Returns a signal that aborts when the client leaves before it is answered. Fastify's own, `request.signal`,
 * does so only until the body of the request has been read.
 */
export function clientSignalOf({ raw }: FastifyReply): LazySignal {
  let signal: AbortSignal | undefined;
  const create = (): AbortSignal => {
    const controller = new AbortController();
    const abortUnlessSent = (): void => {
      if (!raw.writableFinished) controller.abort();
    };
    if (raw.destroyed) abortUnlessSent();
    else raw.once('close', abortUnlessSent);
    return controller.signal;
  };
  return () => (signal ??= create());
}

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
