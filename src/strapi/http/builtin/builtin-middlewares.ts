import type { StrapiMiddleware } from '../../../config/strapi/options/middleware-options.js';
import { isRecord } from '../../../lib/is-record.js';
import { securityHeaders } from '../../../server/security-headers.js';
import type { Registries } from '../../registry.js';
import type { Middleware } from '../context.js';
import { createCors } from './cors.js';
import { createIpFilter } from './ip.js';

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
