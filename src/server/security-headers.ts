import { IncomingMessage, ServerResponse } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Returns helmet's headers, read from a response that is never sent. Fastify's `inject` is not used: Node 20
 * cannot load it in programs that hook into module loading, such as process monitors. A test compares the
 * result with the headers of a registered helmet.
 */
const readHelmetHeaders = async (): Promise<Readonly<Record<string, string>>> => {
  const app = createFastify();
  await app.register(helmet, { crossOriginResourcePolicy: { policy: 'cross-origin' } });
  const sentHeaders = new Promise<OutgoingHttpHeaders>((resolve) => {
    app.get('/', async (_request, reply) => {
      resolve(reply.raw.getHeaders());
      return '';
    });
  });
  await app.ready();
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' });
  app.routing(request, new ServerResponse(request));
  const headers = await sentHeaders;
  await app.close();
  return Object.freeze(
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );
};

/**
 * Sets helmet's headers on every response. They are computed once, because computing them takes longer than
 * reading a document.
 */
export async function setSecurityHeaders(fastify: FastifyInstance): Promise<void> {
  const headers = await readHelmetHeaders();
  fastify.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}
