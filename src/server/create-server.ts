import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import { fastify as createFastify, LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { fail } from '../errors/catalogue.js';
import { printError, statusOf } from '../rest/error-envelope.js';
import { parseJsonBody } from '../rest/json-body.js';
import { sendJson } from '../rest/send-json.js';
import type { Logger } from './logger.js';
import { createRequestLogger } from './request-logger.js';
import { setSecurityHeaders } from './security-headers.js';
import { toGalleyError } from './to-galley-error.js';

export interface ServerParts {
  readonly config: Config['server'];
  readonly logger: Logger;
  /** The transports, and whatever the project adds; registered in this order. */
  readonly plugins: readonly FastifyPluginAsync[];
  /** Runs when the application closes, after its last request. */
  readonly onClose?: () => Promise<void>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refused = toGalleyError(error, request.headers);
  const status = statusOf(refused);
  if (status >= 500) request.log.error({ err: refused.cause ?? refused, code: refused.code }, refused.message);
  else request.log.debug({ code: refused.code }, refused.message);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return sendJson(reply, status, printError(refused));
};

const pathOf = (request: FastifyRequest): string => (request.raw.url ?? '').split('?', 1)[0] ?? '';

/** One line a request. Query strings are left out: people filter by what is private. */
const logResponses = (fastify: FastifyInstance): void => {
  fastify.addHook('onResponse', async (request, reply) => {
    request.log.info({ method: request.method, path: pathOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });
};

const parseBodies = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => parseJsonBody(body));
};

const guardOrigins = async (fastify: FastifyInstance, { origin, credentials }: Config['server']['cors']): Promise<void> => {
  if (origin === false) return;
  await fastify.register(cors, { origin: typeof origin === 'string' ? origin : [...origin], credentials: credentials && origin !== '*', methods: METHODS, strictPreflight: false });
};

/**
 * Assembles the HTTP application: security headers, origins, bodies, logs, one shape for every error, health, and the transports.
 * It listens on nothing; a {@link createSwitch} puts it behind a socket.
 */
export async function createServer({ config, logger, plugins, onClose }: ServerParts): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = logger;
  const fastify: FastifyInstance = createFastify({
    loggerInstance,
    childLoggerFactory: (parent, bindings, options) => createRequestLogger(parent as Logger, bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: config.bodyLimit,
    trustProxy: config.proxy,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: answerError,
  });
  fastify.setErrorHandler(answerError);
  fastify.setNotFoundHandler(() => {
    throw fail('request/not-found');
  });
  if (onClose !== undefined) fastify.addHook('onClose', onClose);
  logResponses(fastify);
  parseBodies(fastify);
  await setSecurityHeaders(fastify);
  await guardOrigins(fastify, config.cors);
  fastify.get('/_health', { logLevel: 'silent' }, async (_request, reply) => reply.code(204).send());
  for (const plugin of plugins) await fastify.register(plugin);
  await fastify.ready();
  return fastify;
}
