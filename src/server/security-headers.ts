import helmet from '@fastify/helmet';
import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

/** What every answer has, helmet or not. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['content-type', 'content-length', 'date', 'connection']);

const askHelmet = async (): Promise<Readonly<Record<string, string>>> => {
  const asked = createFastify();
  await asked.register(helmet, { crossOriginResourcePolicy: { policy: 'cross-origin' } });
  asked.get('/', async () => '');
  const { headers } = await asked.inject('/');
  await asked.close();
  return Object.freeze(Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)).map(([name, value]) => [name, String(value)])));
};

/** Sets helmet's headers on every answer. They are the same on all of them, and making them anew takes longer than reading a document. */
export async function setSecurityHeaders(fastify: FastifyInstance): Promise<void> {
  const headers = await askHelmet();
  fastify.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}
