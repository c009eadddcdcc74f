import type { FastifyReply } from 'fastify';
import { addVary } from '../../lib/vary.js';

/** Bytes. Shorter responses are never compressed: they fit into the packet of their headers, or nearly so. */
export const MIN_COMPRESSED = 1024;

/** Adds to `Vary` that the response has several encodings. */
export function varyByEncoding(reply: FastifyReply): void {
  // In the letters of @fastify/compress, which adds the name unless it is there.
  reply.header('vary', addVary(reply.getHeader('vary'), 'accept-encoding'));
}

/** Sends 304 to a client that has the response already, with the headers of that response. */
export function sendUnchanged(reply: FastifyReply, body: string): FastifyReply {
  if (body.length >= MIN_COMPRESSED) varyByEncoding(reply);
  return reply.code(304).send();
}
