import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { Access } from '../access/access.js';
import type { AttemptLimiter, LimitedOperation } from '../access/accounts/attempts.js';
import { defined } from '../lib/defined.js';
import {
  createAnyPermissionHook,
  createAuthenticationHook,
  createPermissionHook,
  optionalCallerOf,
} from './guard.js';
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
  /** Bytes of a body with many documents. Default: as of any other. */
  readonly bulkBodyLimit?: number;
  /** Needed if attempts at any of the operations are limited. */
  readonly attempts?: AttemptLimiter;
}

/** The permission or credential is checked before the body is read. */
const guardHook = (access: Access, { guard: required }: Route): Pick<RouteShorthandOptions, 'onRequest'> => {
  if (required === 'none') return {};
  return {
    onRequest:
      required === 'credential'
        ? createAuthenticationHook(access)
        : 'anyOf' in required
          ? createAnyPermissionHook(access, required)
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

/** Registers endpoints with their guards. */
export function registerRoutes(
  fastify: FastifyInstance,
  { access, attempts, bulkBodyLimit }: RouteGuards,
  routes: readonly HandledRoute[],
): void {
  for (const { route, handler } of routes) {
    const { method, path, limitedOperation, isBulk } = route;
    fastify.route({
      method,
      url: path,
      ...guardHook(access, route),
      ...(isBulk === undefined || bulkBodyLimit === undefined ? {} : { bodyLimit: bulkBodyLimit }),
      ...(limitedOperation === undefined
        ? {}
        : limitHook(defined(attempts, 'the limiter of attempts'), limitedOperation)),
      handler,
    });
  }
}
