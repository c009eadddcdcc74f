import type { LazySignal } from '../../lib/lazy-signal.js';
import type { FastifyReply } from 'fastify';

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
