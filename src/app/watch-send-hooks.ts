import type { FastifyInstance } from 'fastify';
import { isNotingHook } from '../rest/shown-replies.js';

/** Hooks that see what is sent, or that can add such a hook to any route. */
const SEND_HOOKS: ReadonlySet<unknown> = new Set(['onSend', 'onRoute']);

/**
 * Notices whether project code adds hooks that see what is sent, on the instance or on one below it. Such
 * hooks expect text.
 */
export function watchSendHooks(fastify: FastifyInstance): () => boolean {
  const { addHook } = fastify;
  let hasSendHooks = false;
  const watched = function addWatchedHook(this: FastifyInstance, ...args: unknown[]): unknown {
    if (SEND_HOOKS.has(args[0]) && !isNotingHook(args[1])) hasSendHooks = true;
    return Reflect.apply(addHook, this, args);
  };
  Reflect.set(fastify, 'addHook', watched);
  return () => hasSendHooks;
}
