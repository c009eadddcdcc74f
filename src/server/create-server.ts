/**
 * Assembles the HTTP server. Start at {@link createServer}. create-hot-swap-server.ts owns the listening
 * socket; telemetry/ holds metrics and tracing.
 */
import { createServer as createHttpServer } from 'node:http';
import cors from '@fastify/cors';
import { LogController, fastify as createFastify } from 'fastify';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { logRequestError } from '../api/http/request-lifecycle.js';
import { decorateCacheEntry } from '../api/http/response-cache.js';
import { sendJson } from '../api/rest/envelope.js';
import { parseJsonBody } from '../api/rest/parse-json-body.js';
import type { Config } from '../config/config.js';
import { DEFAULT_METHODS } from '../config/server-settings.js';
import { createError } from '../errors/catalogue.js';
import { printError, statusOf } from '../errors/error-envelope.js';
import { TYPES_HEADER, normalizeUrl, requestLabelOf, urlPath } from '../lib/http.js';
import { allowedOrigins, setSecurityHeaders } from './security-headers.js';
import type { Logger } from './logger.js';
import { toGalleyError, watchMethods } from './request-errors.js';
import { REQUEST_ID_HEADER, createRequestLogger, logRequest, requestIdOf } from './request-logger.js';
import type { ObserveRequest } from './telemetry/metrics.js';

/** The state that `/_ready` returns. `isReady` is true if the server can process requests. */
export interface Readiness {
  readonly isReady: boolean;
  /**
   * `ahead`: a newer release has migrated the database, and this server works with the result. `unknown`: the
   * database does not respond.
   */
  readonly schema: 'current' | 'ahead' | 'incompatible' | 'unknown';
  /** The applied migrations that this server does not know. */
  readonly migrations: readonly string[];
}

export interface ServerDependencies {
  readonly config: Config['server'];
  readonly logger: Logger;
  /** The transports and the project's plugins, registered in this order. */
  readonly plugins: Iterable<FastifyPluginAsync> | AsyncIterable<FastifyPluginAsync>;
  /** Called after each request. */
  readonly onDone?: ObserveRequest | undefined;
  /** Adds hooks that run before all others. */
  readonly trace?: ((fastify: FastifyInstance) => void) | undefined;
  /** Adds the hooks that log writes and rejected requests. */
  readonly track?: ((fastify: FastifyInstance) => void) | undefined;
  /** Runs when the application closes, after its last request. */
  readonly onClose?: () => Promise<void>;
  /** Computes the response of `/_ready`. By default, the server is ready as soon as it listens. */
  readonly readiness?: () => Promise<Readiness>;
}

/** Longer than any path of the API, and short enough for project code to process. */
const MAX_PATH_LENGTH = 2048;

/** Seconds after which clients may retry a request that failed with 503. */
const RETRY_SECONDS = 1;

const sendErrorResponse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const galleyError = toGalleyError(error, request.headers);
  const status = statusOf(galleyError);
  logRequestError(request.log, galleyError);
  if (status === 503) reply.header('retry-after', RETRY_SECONDS);
  // Requests without a route run no hooks.
  reply.header(REQUEST_ID_HEADER, request.id);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return sendJson(reply, status, printError(galleyError));
};

/** Returns the request's id in a header, and rejects paths that are too long. */
const checkRequests = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, reply, next) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    const isTooLong = request.url.length > MAX_PATH_LENGTH && urlPath(request.url).length > MAX_PATH_LENGTH;
    next(isTooLong ? createError('request/path-too-long') : undefined);
  });
};

/**
 * Logs one line per request. Omits query strings, because filters may contain private data. `operation` is
 * the name of a GraphQL request.
 */
const logResponses = (fastify: FastifyInstance): void => {
  fastify.addHook('onResponse', (request, reply, next) => {
    logRequest(request.log, () => ({
      method: request.method,
      path: urlPath(request.url),
      operation: requestLabelOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }));
    next();
  });
};

/**
 * Reports each finished request. Requests without a route share the name `none`, which bounds the number of
 * names.
 */
const observeRequests = (fastify: FastifyInstance, onDone: ObserveRequest): void => {
  fastify.addHook('onResponse', (request, reply, next) => {
    const { method, routeOptions } = request;
    onDone({
      raw: request.raw,
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
    });
    next();
  });
};

const registerBodyParser = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  );
};

const registerCors = async (
  fastify: FastifyInstance,
  {
    origin,
    credentials,
    headers = [],
    expose = [],
    methods = DEFAULT_METHODS,
    maxAge = 0,
  }: Config['server']['cors'],
): Promise<void> => {
  if (origin === false) return;
  await fastify.register(cors, {
    origin: allowedOrigins(origin),
    credentials: credentials && origin !== '*',
    methods: [...methods],
    ...(headers.length === 0 ? {} : { allowedHeaders: [...headers] }),
    exposedHeaders: [REQUEST_ID_HEADER, 'retry-after', 'etag', TYPES_HEADER, ...expose],
    ...(maxAge === 0 ? {} : { maxAge }),
    strictPreflight: false,
  });
};

/**
 * Returns the option that names the proxies whose `X-Forwarded-*` headers are read. A number counts addresses
 * from the right, so that addresses sent by the client itself are ignored.
 */
const trustedProxies = ({
  proxy,
}: Config['server']): { trustProxy?: string[] | ((address: string, hop: number) => boolean) } => {
  if (proxy === false) return {};
  return { trustProxy: typeof proxy === 'number' ? (_address, hop) => hop < proxy : [...proxy] };
};

/**
 * Creates the HTTP application: security headers, CORS, body parsing, logging, error responses, health checks
 * and the transports. It does not listen; {@link createHotSwapServer} connects it to a socket.
 */
export async function createServer({
  config,
  logger,
  plugins,
  onDone,
  trace,
  track,
  onClose,
  readiness = async () => ({ isReady: true, schema: 'current', migrations: [] }),
}: ServerDependencies): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = logger;
  const fastify: FastifyInstance = createFastify({
    loggerInstance,
    // Never listens: the hot-swap server passes requests to it. Project code may add listeners.
    serverFactory: (handler) => createHttpServer(handler),
    childLoggerFactory: (parent, bindings, options) =>
      createRequestLogger(parent as Logger, bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: config.bodyLimit,
    ...trustedProxies(config),
    routerOptions: { ignoreTrailingSlash: true },
    // Project code, its routes and the router compare the same path.
    rewriteUrl: ({ url = '/' }) => normalizeUrl(url),
    frameworkErrors: sendErrorResponse,
  });
  fastify.setErrorHandler(sendErrorResponse);
  fastify.setNotFoundHandler(() => {
    throw createError('request/not-found');
  });
  if (onClose !== undefined) fastify.addHook('onClose', onClose);
  trace?.(fastify);
  track?.(fastify);
  checkRequests(fastify);
  logResponses(fastify);
  if (onDone !== undefined) observeRequests(fastify, onDone);
  registerBodyParser(fastify);
  decorateCacheEntry(fastify);
  if (config.compression === true) {
    // Few projects compress responses, and the database of media types is large.
    const { compressResponses } = await import('./compress-responses.js');
    await compressResponses(fastify);
  }
  await setSecurityHeaders(fastify, config);
  await registerCors(fastify, config.cors);
  const registerMethodNotAllowed = watchMethods(fastify);
  fastify.get('/_health', { logLevel: 'silent' }, async (_request, reply) => reply.code(204).send());
  fastify.get('/_ready', { logLevel: 'silent' }, async (_request, reply) => {
    const { isReady, ...state } = await readiness();
    return reply.code(isReady ? 200 : 503).send({ ready: isReady, ...state });
  });
  try {
    for await (const plugin of plugins) await fastify.register(plugin);
    registerMethodNotAllowed();
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
