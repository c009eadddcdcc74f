import type { FastifyReply } from 'fastify';

/** Answers with JSON text that is finished already. */
export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text);
}
