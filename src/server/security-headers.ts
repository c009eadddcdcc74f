import { IncomingMessage, ServerResponse } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';

const SUBDOMAINS = String.raw`(?:[\w-]+\.)+`;

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * Compiles an origin. `https://*.example.com` matches all subdomains at any depth, `http://localhost:*` all
 * ports.
 */
const toPattern = (origin: string): RegExp => {
  const source = escapePattern(origin)
    .replace(String.raw`://\*\.`, `://${SUBDOMAINS}`)
    .replace(/:\\\*$/, String.raw`(?::\d{1,5})?`);
  return new RegExp(`^${source}$`);
};

/** Returns the origins and patterns that are compared with the origins of requests. */
export function allowedOrigins(
  origin: Exclude<Config['server']['cors']['origin'], false>,
): '*' | (string | RegExp)[] {
  if (origin === '*') return origin;
  return origin.map((each) => (each.includes('*') ? toPattern(each) : each));
}

/**
 * Returns helmet's headers, read from a response that is never sent. Fastify's `inject` is not used: Node 20
 * cannot load it in programs that hook into module loading, such as process monitors. A test compares the
 * result with the headers of a registered helmet.
 */
const readHelmetHeaders = async (
  options: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> => {
  const app = createFastify();
  await app.register(helmet, { crossOriginResourcePolicy: { policy: 'cross-origin' }, ...options });
  const sentHeaders = new Promise<OutgoingHttpHeaders>((resolve, reject) => {
    // Helmet validates some options only when a response gets their header.
    app.setErrorHandler((error, _request, reply) => {
      reject(error);
      return reply.send('');
    });
    app.get('/', async (_request, reply) => {
      resolve(reply.raw.getHeaders());
      return '';
    });
  });
  await app.ready();
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' });
  app.routing(request, new ServerResponse(request));
  let headers: OutgoingHttpHeaders;
  try {
    headers = await sentHeaders;
  } finally {
    await app.close();
  }
  return Object.freeze(
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );
};

/** Returns the error for a directive that helmet does not know or accept. */
const invalidSecurity = (cause: unknown): GalleyError => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return createError('config/invalid', { file: 'server.security', summary: reason }, { cause });
};

/**
 * Returns the headers for options of helmet.
 *
 * @throws `config/invalid` for options that helmet rejects
 */
export async function securityHeaders(
  options: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  return readHelmetHeaders(options).catch((cause: unknown) => {
    throw invalidSecurity(cause);
  });
}

/**
 * Sets helmet's headers and those of the configuration on every response. They are computed once, because
 * computing them takes longer than reading a document.
 *
 * @throws `config/invalid` for options that helmet rejects
 */
export async function setSecurityHeaders(
  fastify: FastifyInstance,
  { security = {}, headers: others = {} }: Pick<Config['server'], 'security' | 'headers'>,
): Promise<void> {
  const headers = { ...(await securityHeaders(security)), ...others };
  fastify.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}
