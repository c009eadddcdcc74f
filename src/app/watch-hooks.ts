import type { FastifyInstance } from 'fastify';
import { isSelective } from '../rest/shown-replies.js';

/** Hooks that see what is sent, or that can add such a hook to any route. */
const SEND_HOOKS: ReadonlySet<unknown> = new Set(['onSend', 'onRoute']);

/** Hooks of the application, which see no request. */
const APPLICATION_HOOKS: ReadonlySet<unknown> = new Set([
  'onReady',
  'onListen',
  'preClose',
  'onClose',
  'onRegister',
]);

/** What the hooks of project code may do. */
export interface WatchedHooks {
  /** Whether any sees what is sent. Such hooks expect text. */
  readonly seesAnswers: () => boolean;
  /** Whether any sees requests, or routes are chosen by more than their address. */
  readonly seesRequests: () => boolean;
  /** To be called before the server's own plugins are registered, whose hooks are their own affair. */
  readonly end: () => void;
}

/** Notices which hooks project code adds, on the instance or on one below it. */
export function watchHooks(fastify: FastifyInstance): WatchedHooks {
  let seesAnswers = false;
  let seesRequests = false;
  let hasEnded = false;
  fastify.addHook('onRoute', ({ constraints = {} }) => {
    if (!hasEnded && Object.keys(constraints).length > 0) seesRequests = true;
  });
  const { addHook } = fastify;
  const watched = function addWatchedHook(this: FastifyInstance, ...args: unknown[]): unknown {
    const [name, hook] = args;
    if (hasEnded) return Reflect.apply(addHook, this, args);
    if (SEND_HOOKS.has(name) && !isSelective(hook)) seesAnswers = true;
    if (!APPLICATION_HOOKS.has(name) && !isSelective(hook)) seesRequests = true;
    return Reflect.apply(addHook, this, args);
  };
  Reflect.set(fastify, 'addHook', watched);
  return {
    seesAnswers: () => seesAnswers,
    seesRequests: () => seesRequests,
    end: () => {
      hasEnded = true;
    },
  };
}
