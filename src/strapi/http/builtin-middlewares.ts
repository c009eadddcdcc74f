import { DEFAULT_METHODS } from '../../config/server-settings.js';
import type { StrapiMiddleware } from '../../config/strapi/options/middleware-options.js';
import { isRecord } from '../../lib/records.js';
import { securityHeaders } from '../../server/security-headers.js';
import type { Registries } from '../registry.js';
import type { Context, Middleware } from './context.js';

/** As an IPv4 client is seen where the server listens for IPv6, too. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

const addressPatterns = (value: unknown): readonly RegExp[] | null =>
  Array.isArray(value) ? value.map((each: string | RegExp) => new RegExp(each)) : null;

const matches = (patterns: readonly RegExp[], address: string): boolean =>
  patterns.some((pattern) => pattern.test(address) || pattern.test(address.replace(MAPPED, '')));

/**
 * Paths that are open to every address: they only report whether the server runs, to callers whose addresses
 * are often not known.
 */
const PROBES: ReadonlySet<string> = new Set(['/_health', '/_ready']);

type Handler = (context: Context, next: () => Promise<unknown>) => unknown;

/**
 * Creates `strapi::ip`, which lets in the addresses of `whitelist` that `blacklist` leaves. The others get
 * 403 or the response of `handler`.
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

/** The values of the headers that `strapi::cors` sends to the origins that it allows. */
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

/** A function that returns nothing allows every origin, as one that is not there. */
const allowedOrigins = (allowed: unknown): readonly string[] => parseList(allowed ?? '*');

const isPreflight = (context: Context): boolean =>
  context.method === 'OPTIONS' && context.get('Access-Control-Request-Method') !== '';

const sendPreflight = (context: Context, { methods, headers, maxAge }: CorsHeaders): void => {
  const asked = context.get('Access-Control-Request-Headers');
  const allowed = headers.length === 0 ? asked : headers.join(',');
  context.set('Access-Control-Allow-Methods', methods.join(','));
  if (allowed !== '') context.set('Access-Control-Allow-Headers', allowed);
  if (maxAge !== null) context.set('Access-Control-Max-Age', String(maxAge));
  context.status = 204;
};

/**
 * Creates `strapi::cors` for a route, or for all of them where its `origin` is a function of the request. The
 * server itself sends these headers where they are the same for all requests.
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
    const asking = context.get('Origin');
    if (asking === '') return next();
    const allowed: unknown =
      typeof origin === 'function' ? await (origin as OriginFunction)(context) : origin;
    const origins = allowedOrigins(allowed);
    if (!origins.includes('*') && !origins.includes(asking)) return next();
    context.set('Access-Control-Allow-Origin', asking);
    // Otherwise any page would act in the user's name.
    if (sent.credentials && !origins.includes('*')) context.set('Access-Control-Allow-Credentials', 'true');
    if (isPreflight(context)) return sendPreflight(context, sent);
    if (sent.expose.length > 0) context.set('Access-Control-Expose-Headers', sent.expose.join(','));
    return next();
  };
}

type Factory = (config: unknown, tools: { readonly strapi: object }) => Middleware | undefined;

/** It does its work for all requests, or what it does is always done, so that a route adds nothing. */
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

/** Calls the function that `handlers` has for the status of a response. */
const createResponses: Factory = (config) => {
  const handlers = isRecord(config) ? config['handlers'] : undefined;
  if (!isRecord(handlers)) return undefined;
  return async (context, next) => {
    await next();
    const handler = handlers[String(context.status)];
    if (typeof handler === 'function') await Reflect.apply(handler, undefined, [context, next]);
  };
};

/** The middlewares that Strapi brings along, for routes that name them. */
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

/** Registers these middlewares. Project code may register one of the same name, which then comes first. */
export function addBuiltinMiddlewares({ middlewares }: Pick<Registries, 'middlewares'>): void {
  for (const [name, create] of Object.entries(BUILTIN_MIDDLEWARES))
    if (!middlewares.has(name)) middlewares.set(name, create);
}
