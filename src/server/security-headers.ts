import { IncomingMessage, ServerResponse } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Helmet writes on an answer, so it is given one that goes nowhere. Fastify's `inject` makes such answers, too, but Node 20 fails to load it
 * wherever something hooks into the loading of modules, as programs that watch servers do.
 */
const askHelmet = async (): Promise<Readonly<Record<string, string>>> => {
  const asked = createFastify();
  await asked.register(helmet, { crossOriginResourcePolicy: { policy: 'cross-origin' } });
  const answered = new Promise<OutgoingHttpHeaders>((resolve) => {
    asked.get('/', async (_request, reply) => {
      resolve(reply.raw.getHeaders());
      return '';
    });
  });
  await asked.ready();
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' });
  asked.routing(request, new ServerResponse(request));
  const headers = await answered;
  await asked.close();
  return Object.freeze(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])));
};

/** Sets helmet's headers on every answer. They are the same on all of them, and making them anew takes longer than reading a document. */
export async function setSecurityHeaders(fastify: FastifyInstance): Promise<void> {
  const headers = await askHelmet();
  fastify.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}
