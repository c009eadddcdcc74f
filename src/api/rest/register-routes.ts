import type {
  FastifyInstance,
  FastifyRequest,
  RouteShorthandOptions,
  onSendHookHandler,
  preHandlerAsyncHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { Access } from '../../access/access.js';
import type { AttemptLimiter, CountedAttempt, LimitedOperation } from '../../access/accounts/attempts.js';
import { unsupportedKey } from '../../documents/validation/issues.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import { READ_PARAMETERS, shorten, invalidParameter } from '../../query/read-context.js';
import { optionalCallerOf } from '../http/request-lifecycle.js';
import {
  addedValuesOf,
  createAnyPermissionHook,
  createAuthenticationHook,
  createPermissionHook,
  passedOnOf,
} from './guard.js';
import { queryOf } from './handler.js';
import type { Handler } from './handler.js';
import type { Route } from './routes/route.js';

/** Parameters of the API, whose meaning project code cannot change. */
const API_PARAMETERS: ReadonlySet<string> = new Set(READ_PARAMETERS);

const listNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const assertParameters = (
  { method, path, parameters = [], unsupported = {} }: Route,
  request: FastifyRequest,
  isStrict: boolean,
): void => {
  const added = addedValuesOf(request).query;
  const isOfCode = (name: string): boolean =>
    Object.hasOwn(added, name) ||
    (!isStrict && !API_PARAMETERS.has(name) && passedOnOf(request)?.ranCode === true);
  const isKnown = (name: string): boolean => parameters.includes(name) || isOfCode(name);
  const name = Object.keys(queryOf(request)).find((key) => !isKnown(key));
  if (name === undefined) return;
  const accepted = parameters.length === 0 ? 'no parameters' : listNames(parameters);
  const reason = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
  throw invalidParameter(shorten(name), reason ?? `${method} ${path} accepts ${accepted}.`);
};

const assertBody = ({ parameters = [], bodyKeys }: Route, request: FastifyRequest): void => {
  const { body } = request;
  if (bodyKeys === undefined || !isRecord(body)) return;
  const known = [...bodyKeys, ...addedValuesOf(request).bodyKeys];
  const key = Object.keys(body).find((name) => !known.includes(name));
  if (key === undefined) return;
  if (parameters.includes(key)) throw unsupportedKey(key, `it is a query parameter: ?${key}=….`);
  if (bodyKeys.length === 0) throw unsupportedKey(key, 'this endpoint accepts no body.');
  const hint = bodyKeys.includes('data') ? ' Put attributes into data.' : '';
  throw unsupportedKey(key, `the body accepts ${listNames(bodyKeys)}.${hint}`);
};

/**
 * Rejects query parameters and body keys that a route does not support, so that no part of a request is
 * ignored.
 *
 * @throws `request/invalid-parameter`, `request/invalid-key`
 */
function assertRequest(route: Route, request: FastifyRequest, isStrict: boolean): void {
  assertParameters(route, request, isStrict);
  assertBody(route, request);
}

/** True if a route rejects unknown parameters. Reads ignore them unless configured, as in Strapi. */
const isChecked = ({ method, parameters }: Route, isStrict: boolean): boolean =>
  method !== 'GET' || (isStrict && parameters !== undefined);

/** An endpoint with the function that handles its requests. */
export interface HandledRoute {
  readonly route: Route;
  readonly handler: Handler;
  /** Runs once the caller is authorized and the body is read. */
  readonly preHandler?: preHandlerAsyncHookHandler;
  /** Changes the response before it is sent. */
  readonly onSend?: onSendHookHandler<unknown>;
  /** True: reads reject unknown parameters, too, and project code reads only those that it has added. */
  readonly isStrict?: boolean;
}

/** The checks that a request must pass before it is handled. */
export interface RouteGuards {
  readonly access: Access;
  /** Maximum bytes of the body of a bulk request. Default: the limit of other requests. */
  readonly bulkBodyLimit?: number;
  /** Required if any of the operations limits attempts. */
  readonly attempts?: AttemptLimiter;
}

/** Returns the hook that checks the permission or credential before the body is read. */
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

const ATTEMPT = 'countedAttempt';
const FIRST_ERROR = 400;

const attemptOf = (request: FastifyRequest): CountedAttempt | null =>
  request.getDecorator<CountedAttempt | null>(ATTEMPT);

/**
 * Returns the hooks that count attempts once the body, which names the account, is read. A successful attempt
 * is removed from the failures before its response is sent, so that the client's next request is not limited.
 */
const limitHooks = (
  attempts: AttemptLimiter,
  operation: LimitedOperation,
): Pick<RouteShorthandOptions, 'preHandler' | 'onSend'> => ({
  preHandler: async (request, reply) => {
    const attempt = await attempts.begin(
      { operation, ip: request.ip, values: request.body, caller: optionalCallerOf(request) },
      (seconds) => void reply.header('retry-after', seconds),
    );
    request.setDecorator(ATTEMPT, attempt);
  },
  onSend: async (request, reply) => {
    if (reply.statusCode < FIRST_ERROR) await attemptOf(request)?.succeeded();
  },
});

const requestHook =
  (route: Route, isStrict: boolean): preValidationHookHandler =>
  (request, _reply, next) => {
    try {
      assertRequest(route, request, isStrict);
    } catch (error) {
      next(error as Error);
      return;
    }
    next();
  };

/** Registers endpoints with their guards. */
export function registerRoutes(
  fastify: FastifyInstance,
  { access, attempts, bulkBodyLimit }: RouteGuards,
  routes: readonly HandledRoute[],
): void {
  fastify.decorateRequest(ATTEMPT, null);
  for (const { route, handler, preHandler, onSend, isStrict = false } of routes) {
    const { method, path, limitedOperation, isBulk, isStream } = route;
    fastify.route({
      method,
      url: path,
      ...(isStream === undefined ? {} : { exposeHeadRoute: false }),
      ...guardHook(access, route),
      ...(isChecked(route, isStrict) ? { preValidation: requestHook(route, isStrict) } : {}),
      ...(isBulk === undefined || bulkBodyLimit === undefined ? {} : { bodyLimit: bulkBodyLimit }),
      ...(limitedOperation === undefined
        ? {}
        : limitHooks(defined(attempts, 'the limiter of attempts'), limitedOperation)),
      ...(preHandler === undefined ? {} : { preHandler }),
      ...(onSend === undefined ? {} : { onSend }),
      handler,
    });
  }
}
