import type { FastifyReply } from 'fastify';

const shownReplies = new WeakSet<FastifyReply>();

/** Notes that project code looks at a response before it is sent, which takes text and may take a while. */
export function showReply(reply: FastifyReply): void {
  shownReplies.add(reply);
}

/** Whether project code looks at a response before it is sent. */
export function isShownReply(reply: FastifyReply): boolean {
  return shownReplies.has(reply);
}

const notingHooks = new WeakSet<object>();

/** Marks a hook that looks at noted responses only, so that no others have to be sent as text. */
export function looksAtShownReplies<Hook extends object>(hook: Hook): Hook {
  notingHooks.add(hook);
  return hook;
}

/** Whether a hook looks at noted responses only. */
export function isNotingHook(hook: unknown): boolean {
  return typeof hook === 'function' && notingHooks.has(hook);
}
