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

const selectiveHooks = new WeakSet<object>();

/** Marks a hook that leaves requests alone which concern no project code. Those that do are noted. */
export function selective<Hook extends object>(hook: Hook): Hook {
  selectiveHooks.add(hook);
  return hook;
}

/** Whether a hook leaves other requests than noted ones alone. */
export function isSelective(hook: unknown): boolean {
  return typeof hook === 'function' && selectiveHooks.has(hook);
}
