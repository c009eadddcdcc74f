interface Reply {
  readonly raw: { readonly headersSent: boolean };
}

/**
 * What an async handler returns: the reply while it is not sent, since Fastify would otherwise take it for
 * one without a body. It is when nothing streams and no hook waits, and then Fastify need not wait, either.
 */
export function untilSent<Sent extends Reply>(reply: Sent): Sent | undefined {
  return reply.raw.headersSent ? undefined : reply;
}
