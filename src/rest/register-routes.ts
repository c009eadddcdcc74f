import type { FastifyInstance, HTTPMethods, RouteShorthandOptions } from 'fastify';
import type { Access } from '../access/access.js';
import type { AttemptLimiter, LimitedOperation } from '../access/accounts/attempts.js';
import { createError } from '../errors/catalogue.js';
import { defined } from '../lib/defined.js';
import { getOrCreate } from '../lib/memoize.js';
import { createAuthenticationHook, createPermissionHook, optionalCallerOf } from './guard.js';
import type { Handler } from './rest-dependencies.js';
import type { Route } from './routes/route.js';

/** An endpoint with the function that handles its requests. */
export interface HandledRoute {
  readonly route: Route;
  readonly handler: Handler;
}

/** What decides whether a request is handled. */
export interface RouteGuards {
  readonly access: Access;
  /** Needed if attempts at any of the operations are limited. */
  readonly attempts?: AttemptLimiter;
}

const ALL_METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The permission or credential is checked before the body is read. */
const guardHook = (access: Access, { guard: required }: Route): Pick<RouteShorthandOptions, 'onRequest'> => {
  if (required === 'none') return {};
  return {
    onRequest:
      required === 'credential'
        ? createAuthenticationHook(access)
        : createPermissionHook(access, required.uid, required.action),
  };
};

/** Attempts are counted once the body is read, since it names the account. */
const limitHook = (
  attempts: AttemptLimiter,
  operation: LimitedOperation,
): Pick<RouteShorthandOptions, 'preHandler'> => ({
  preHandler: async (request, reply) =>
    attempts.assertAllowed(
      { operation, ip: request.ip, values: request.body, caller: optionalCallerOf(request) },
      (seconds) => void reply.header('retry-after', seconds),
    ),
});

/** Responds with 405 to all other methods of a path, before the body is read and without authentication. */
const registerMethodNotAllowed = (
  fastify: FastifyInstance,
  url: string,
  allowed: ReadonlySet<string>,
): void => {
  const allowHeader = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', ');
  const throwMethodNotAllowed = async (): Promise<never> => {
    throw createError('request/method-not-allowed');
  };
  fastify.route({
    method: ALL_METHODS.filter((method) => !allowed.has(method)),
    url,
    onRequest: async (_request, reply) => {
      reply.header('allow', allowHeader);
      return throwMethodNotAllowed();
    },
    handler: throwMethodNotAllowed,
  });
};

/** Registers endpoints with their guards, and 405 for the other methods of their paths. */
export function registerRoutes(
  fastify: FastifyInstance,
  { access, attempts }: RouteGuards,
  routes: readonly HandledRoute[],
): void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { route, handler } of routes) {
    const { method, path, limitedOperation } = route;
    getOrCreate(methodsByPath, path, () => new Set<string>()).add(method);
    fastify.route({
      method,
      url: path,
      ...guardHook(access, route),
      ...(limitedOperation === undefined
        ? {}
        : limitHook(defined(attempts, 'the limiter of attempts'), limitedOperation)),
      handler,
    });
  }
  for (const [path, allowed] of methodsByPath) registerMethodNotAllowed(fastify, path, allowed);
}
