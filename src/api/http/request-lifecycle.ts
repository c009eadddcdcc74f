import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { statusOf } from '../../errors/error-envelope.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { LazySignal } from '../../lib/resources.js';

/**
 * Returns a signal that aborts when the client disconnects before the response is sent. Fastify's
 * `request.signal` does so only until the body of the request is read.
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

/** Errors of an overloaded server, logged as warnings. */
const BUSY: ReadonlySet<string> = new Set<ErrorCode>([
  'database/busy',
  'upload/busy',
  'events/too-many-streams',
]);

/** The client has disconnected, so the error is not the server's. */
const ABANDONED: ErrorCode = 'request/abandoned';

/**
 * Logs the error of a failed request: server errors with their cause at level `error`, overload at `warn`,
 * and client errors at `debug`.
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

const CALLER = 'caller';

/** Declares the property of requests that holds the caller, unless an outer plugin has declared it. */
export function decorateCaller(fastify: FastifyInstance): void {
  if (!fastify.hasRequestDecorator(CALLER)) fastify.decorateRequest(CALLER, null);
}

/** Sets the authenticated caller of a request. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  request.setDecorator(CALLER, caller);
}

/** Returns the caller of a request, or null if it was not authenticated yet. */
export function optionalCallerOf(request: FastifyRequest): Caller | null {
  return request.getDecorator<Caller | null>(CALLER);
}

/** Returns the caller of a request that was authenticated. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER);
}
