import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Access, Caller } from '../../access/access.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { Uid } from '../../model/model.js';
import { setCaller } from '../http/request-lifecycle.js';
import type { AnyPermission } from './routes/route.js';

/** The values of a request for parameters that project code has added, by name. Undefined: ignored. */
export interface AddedValues {
  readonly query: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  /** The keys that the body may have besides `data`. */
  readonly bodyKeys: readonly string[];
}

/** A request that project code passed on to a built-in route. */
interface PassedOn {
  /** The caller, if project code has checked the permissions. Null: the route authenticates. */
  readonly caller: Caller | null;
  readonly added: AddedValues;
  /** True if middlewares or policies of the project ran, which may read any parameter. */
  readonly ranCode: boolean;
}

export const NONE_ADDED: AddedValues = { query: {}, data: {}, bodyKeys: [] };

const PASSED_ON = 'passedOn';

/** Declares the property of requests for {@link passOn}, unless an outer plugin has declared it. */
export function decoratePassedOn(fastify: FastifyInstance): void {
  if (!fastify.hasRequestDecorator(PASSED_ON)) fastify.decorateRequest(PASSED_ON, null);
}

/** Marks a request as passed on by project code. */
export function passOn(request: FastifyRequest, passed: PassedOn): void {
  request.setDecorator(PASSED_ON, passed);
}

/** Returns the mark of {@link passOn}. Null: no project code has passed the request on. */
export function passedOnOf(request: FastifyRequest): PassedOn | null {
  return request.getDecorator<PassedOn | null>(PASSED_ON);
}

/** Returns the values of a request for parameters that project code has added. */
export function addedValuesOf(request: FastifyRequest): AddedValues {
  return passedOnOf(request)?.added ?? NONE_ADDED;
}

/** Sets the caller of a request that was passed on with checked permissions. Returns true if there is one. */
const takePassedCaller = (request: FastifyRequest): boolean => {
  const caller = passedOnOf(request)?.caller ?? null;
  if (caller !== null) setCaller(request, caller);
  return caller !== null;
};

/** Creates a hook that authenticates the caller without checking permissions. */
export function createAuthenticationHook(access: Access): onRequestAsyncHookHandler {
  return async (request) => {
    setCaller(request, await access.authenticate(request.headers.authorization));
  };
}

/** Creates a hook that rejects callers without a permission, before the body is read. */
export function createPermissionHook(access: Access, uid: Uid, action: string): onRequestAsyncHookHandler {
  return async (request) => {
    if (takePassedCaller(request)) return;
    setCaller(request, await access.authenticateFor(request.headers.authorization, uid, action));
  };
}

/** Creates a hook that rejects callers who have none of the permissions, before the body is read. */
export function createAnyPermissionHook(
  access: Access,
  { uid, anyOf }: AnyPermission,
): onRequestAsyncHookHandler {
  return async (request) => {
    if (takePassedCaller(request)) return;
    let lastError: unknown;
    for (const action of anyOf) {
      try {
        setCaller(request, await access.authenticateFor(request.headers.authorization, uid, action));
        return;
      } catch (error) {
        if (!isGalleyError(error) || error.kind !== 'forbidden') throw error;
        lastError = error;
      }
    }
    throw lastError;
  };
}
