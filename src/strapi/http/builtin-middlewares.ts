import { DEFAULT_METHODS } from '../../config/server-settings.js';
import type { StrapiMiddleware } from '../../config/strapi/options/middleware-options.js';
import { isRecord } from '../../lib/records.js';
import { securityHeaders } from '../../server/security-headers.js';
import type { Registries } from '../registry.js';
import type { Context, Middleware } from './context.js';

/** The prefix of IPv4 addresses if the server listens on IPv6. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

const addressPatterns = (value: unknown): readonly RegExp[] | null =>
  Array.isArray(value) ? value.map((each: string | RegExp) => new RegExp(each)) : null;

const matches = (patterns: readonly RegExp[], address: string): boolean =>
  patterns.some((pattern) => pattern.test(address) || pattern.test(address.replace(MAPPED, '')));

/**
 * Paths that every address may request: they only report the state of the server, and addresses of probes are
 * often unknown.
 */
const PROBES: ReadonlySet<string> = new Set(['/_health', '/_ready']);

type Handler = (context: Context, next: () => Promise<unknown>) => unknown;

/**
 * Creates `strapi::ip`, which allows the addresses of `whitelist` except those of `blacklist`. Others get 403
 * or the response of `handler`.
 */
function createIpFilter(config: unknown): Middleware {
  const options = isRecord(config) ? config : {};
  const allowed = addressPatterns(options['whitelist']);
  const denied = addressPatterns(options['blacklist']) ?? [];
  const { handler } = options;
  return (context, next) => {
    const { ip, path } = context;
    if (PROBES.has(path)) return next();
    if ((allowed === null || matches(allowed, ip)) && !matches(denied, ip)) return next();
    if (typeof handler === 'function') return (handler as Handler)(context, next);
    return context.throw(403);
  };
}

type OriginFunction = (context: Context) => unknown;

/** The values of the headers that `strapi::cors` sends to allowed origins. */
interface CorsHeaders {
  readonly credentials: boolean;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly expose: readonly string[];
  readonly maxAge: number | null;
}

const parseList = (value: unknown): readonly string[] => {
  const items: readonly unknown[] = typeof value === 'string' ? value.split(',') : [value ?? []].flat();
  return items.map((each) => String(each).trim()).filter((each) => each !== '');
};

/** Returns the allowed origins: all, if the option is missing or its function returns nothing. */
const allowedOrigins = (allowed: unknown): readonly string[] => parseList(allowed ?? '*');

const isPreflight = (context: Context): boolean =>
  context.method === 'OPTIONS' && context.get('Access-Control-Request-Method') !== '';

const sendPreflight = (context: Context, { methods, headers, maxAge }: CorsHeaders): void => {
  const requested = context.get('Access-Control-Request-Headers');
  const allowed = headers.length === 0 ? requested : headers.join(',');
  context.set('Access-Control-Allow-Methods', methods.join(','));
  if (allowed !== '') context.set('Access-Control-Allow-Headers', allowed);
  if (maxAge !== null) context.set('Access-Control-Max-Age', String(maxAge));
  context.status = 204;
};

/**
 * Creates `strapi::cors` for a route, or for all routes if its `origin` is a function. Otherwise the server
 * sends these headers.
 */
function createCors(config: unknown): Middleware {
  const options = isRecord(config) ? config : {};
  const { origin } = options;
  const sent: CorsHeaders = {
    credentials: options['credentials'] !== false,
    methods: options['methods'] === undefined ? DEFAULT_METHODS : parseList(options['methods']),
    headers: parseList(options['headers']),
    expose: parseList(options['expose']),
    maxAge: typeof options['maxAge'] === 'number' ? options['maxAge'] : null,
  };
  return async (context, next) => {
    context.vary('Origin');
    const requestOrigin = context.get('Origin');
    if (requestOrigin === '') return next();
    const allowed: unknown =
      typeof origin === 'function' ? await (origin as OriginFunction)(context) : origin;
    const origins = allowedOrigins(allowed);
    if (!origins.includes('*') && !origins.includes(requestOrigin)) return next();
    context.set('Access-Control-Allow-Origin', requestOrigin);
    // With all origins allowed, any page could act in the user's name.
    if (sent.credentials && !origins.includes('*')) context.set('Access-Control-Allow-Credentials', 'true');
    if (isPreflight(context)) return sendPreflight(context, sent);
    if (sent.expose.length > 0) context.set('Access-Control-Expose-Headers', sent.expose.join(','));
    return next();
  };
}

type Factory = (config: unknown, tools: { readonly strapi: object }) => Middleware | undefined;

/** A middleware whose work the server does for all requests, so that a route adds nothing. */
const doneByServer: Factory = () => undefined;

const createSecurity: Factory = (config) => {
  const headers = securityHeaders(isRecord(config) ? config : {});
  // The first request that needs them gets the error.
  headers.catch(() => undefined);
  return async (context, next) => {
    context.set(await headers);
    return next();
  };
};

const createPoweredBy: Factory = (config) => {
  const name = isRecord(config) ? config['poweredBy'] : undefined;
  if (typeof name !== 'string') return undefined;
  return async (context, next) => {
    await next();
    context.set('X-Powered-By', name);
  };
};

const createResponseTime: Factory = () => async (context, next) => {
  const start = performance.now();
  await next();
  context.set('X-Response-Time', `${Math.ceil(performance.now() - start)}ms`);
};

/** Creates the middleware that calls the handler for the status of a response. */
const createResponses: Factory = (config) => {
  const handlers = isRecord(config) ? config['handlers'] : undefined;
  if (!isRecord(handlers)) return undefined;
  return async (context, next) => {
    await next();
    const handler = handlers[String(context.status)];
    if (typeof handler === 'function') await Reflect.apply(handler, undefined, [context, next]);
  };
};

/** Strapi's built-in middlewares, for routes that name them. */
const BUILTIN_MIDDLEWARES: Readonly<Record<StrapiMiddleware, Factory>> = {
  'strapi::body': doneByServer,
  'strapi::compression': doneByServer,
  'strapi::cors': createCors,
  'strapi::errors': doneByServer,
  'strapi::favicon': doneByServer,
  'strapi::ip': createIpFilter,
  'strapi::logger': doneByServer,
  'strapi::poweredBy': createPoweredBy,
  'strapi::public': doneByServer,
  'strapi::query': doneByServer,
  'strapi::responseTime': createResponseTime,
  'strapi::responses': createResponses,
  'strapi::security': createSecurity,
  'strapi::session': doneByServer,
};

/**
 * Registers the built-in middlewares. Project code may register a middleware of the same name, which takes
 * precedence.
 */
export function addBuiltinMiddlewares({ middlewares }: Pick<Registries, 'middlewares'>): void {
  for (const [name, create] of Object.entries(BUILTIN_MIDDLEWARES))
    if (!middlewares.has(name)) middlewares.set(name, create);
}
