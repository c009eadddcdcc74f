import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import { fastify as createFastify, LogController } from 'fastify';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Config } from '../config/config.js';
import { createError } from '../errors/catalogue.js';
import { printError, statusOf } from '../errors/error-envelope.js';
import { parseJsonBody } from '../rest/parse-json-body.js';
import { sendJson } from '../rest/envelope.js';
import type { Logger } from './logger.js';
import type { Readiness } from './readiness.js';
import { createRequestLogger } from './request-logger.js';
import { setSecurityHeaders } from './security-headers.js';
import { toGalleyError } from './to-galley-error.js';

export interface ServerDependencies {
  readonly config: Config['server'];
  readonly logger: Logger;
  /** The transports and the project's own plugins. Registered in this order. */
  readonly plugins: readonly FastifyPluginAsync[];
  /** Runs when the application closes, after its last request. */
  readonly onClose?: () => Promise<void>;
  /** Answers `/_ready`. Without it, the server is ready as soon as it listens. */
  readonly readiness?: () => Promise<Readiness>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const sendErrorResponse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const galleyError = toGalleyError(error, request.headers);
  const status = statusOf(galleyError);
  if (status >= 500)
    request.log.error({ err: galleyError.cause ?? galleyError, code: galleyError.code }, galleyError.message);
  else request.log.debug({ code: galleyError.code }, galleyError.message);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return sendJson(reply, status, printError(galleyError));
};

const pathOf = (request: FastifyRequest): string => request.url.replace(/\?.*$/s, '');

/** Logs one line per request. Omits query strings, because filters may contain private data. */
const logResponses = (fastify: FastifyInstance): void => {
  fastify.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
};

const registerBodyParser = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => parseJsonBody(body),
  );
};

const registerCors = async (
  fastify: FastifyInstance,
  { origin, credentials }: Config['server']['cors'],
): Promise<void> => {
  if (origin === false) return;
  await fastify.register(cors, {
    origin: typeof origin === 'string' ? origin : [...origin],
    credentials: credentials && origin !== '*',
    methods: METHODS,
    strictPreflight: false,
  });
};

/**
 * Creates the HTTP application: security headers, CORS, body parsing, logging, error responses, the health
 * check and the transports. It does not listen. {@link createHotSwapServer} connects it to a socket.
 */
export async function createServer({
  config,
  logger,
  plugins,
  onClose,
  readiness = async () => ({ isReady: true, schema: 'current', migrations: [] }),
}: ServerDependencies): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = logger;
  const fastify: FastifyInstance = createFastify({
    loggerInstance,
    childLoggerFactory: (parent, bindings, options) =>
      createRequestLogger(parent as Logger, bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: config.bodyLimit,
    trustProxy: config.proxy,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: sendErrorResponse,
  });
  fastify.setErrorHandler(sendErrorResponse);
  fastify.setNotFoundHandler(() => {
    throw createError('request/not-found');
  });
  if (onClose !== undefined) fastify.addHook('onClose', onClose);
  logResponses(fastify);
  registerBodyParser(fastify);
  await setSecurityHeaders(fastify);
  await registerCors(fastify, config.cors);
  fastify.get('/_health', { logLevel: 'silent' }, async (_request, reply) => reply.code(204).send());
  fastify.get('/_ready', { logLevel: 'silent' }, async (_request, reply) => {
    const { isReady, ...state } = await readiness();
    return reply.code(isReady ? 200 : 503).send({ ready: isReady, ...state });
  });
  try {
    for (const plugin of plugins) await fastify.register(plugin);
    await fastify.ready();
    return fastify;
  } catch (error) {
    // Closes resources that the registered plugins have opened.
    await fastify
      .close()
      .catch((closeError: unknown) => logger.error({ err: closeError }, 'The server could not be closed'));
    throw error;
  }
}
