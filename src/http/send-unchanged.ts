import type { FastifyReply } from 'fastify';
import { isLong, varyByEncoding } from './compressor.js';

/** Tells a client that it knows the answer already. Its headers are those that the answer would have. */
export function sendUnchanged(reply: FastifyReply, body: Buffer): FastifyReply {
  if (isLong(body.length)) reply.header('vary', varyByEncoding(reply.getHeader('vary')));
  return reply.code(304).send();
}
