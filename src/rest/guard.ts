import type { IncomingMessage } from 'node:http';
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import type { Access, Caller } from '../access/access.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { Uid } from '../model/model.js';
import type { AnyPermission } from './routes/route.js';

const CALLER = 'caller';

/** Declares the property of requests that holds the caller. */
export function decorateCaller(fastify: FastifyInstance): void {
  fastify.decorateRequest(CALLER, null);
}

/** Returns the caller of a request, or null if it was not authenticated yet. */
export function optionalCallerOf(request: FastifyRequest): Caller | null {
  return request.getDecorator<Caller | null>(CALLER);
}

/** Returns the caller of a request that has passed one of the hooks below. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER);
}

/** Callers whom something in front of the routes has recognised and let in. */
const presetCallers = new WeakMap<IncomingMessage, Caller>();

/** Lets a caller in whose permissions were checked in front of the route. */
export function presetCaller(request: IncomingMessage, caller: Caller): void {
  presetCallers.set(request, caller);
}

const takePresetCaller = (request: FastifyRequest): boolean => {
  const caller = presetCallers.get(request.raw);
  if (caller !== undefined) request.setDecorator(CALLER, caller);
  return caller !== undefined;
};

/** Creates a hook that authenticates the caller, whatever its permissions. */
export function createAuthenticationHook(access: Access): onRequestAsyncHookHandler {
  return async (request) => {
    request.setDecorator(CALLER, await access.authenticate(request.headers.authorization));
  };
}

/** Creates a hook that rejects callers without a permission, before the body is read. */
export function createPermissionHook(access: Access, uid: Uid, action: string): onRequestHookHandler {
  const authenticateLater = async (request: FastifyRequest, next: (error?: Error) => void): Promise<void> => {
    try {
      request.setDecorator(CALLER, await access.authenticateFor(request.headers.authorization, uid, action));
    } catch (error) {
      next(error as Error);
      return;
    }
    next();
  };
  return (request, _reply, next) => {
    if (takePresetCaller(request)) {
      next();
      return;
    }
    const caller = access.callerAtOnce(request.headers.authorization, uid, action);
    if (caller === null) {
      void authenticateLater(request, next);
      return;
    }
    request.setDecorator(CALLER, caller);
    next();
  };
}

/** Creates a hook that rejects callers who have none of the permissions, before the body is read. */
export function createAnyPermissionHook(
  access: Access,
  { uid, anyOf }: AnyPermission,
): onRequestAsyncHookHandler {
  return async (request) => {
    if (takePresetCaller(request)) return;
    let refusal: unknown;
    for (const action of anyOf) {
      try {
        request.setDecorator(
          CALLER,
          await access.authenticateFor(request.headers.authorization, uid, action),
        );
        return;
      } catch (error) {
        if (!isGalleyError(error) || error.kind !== 'forbidden') throw error;
        refusal = error;
      }
    }
    throw refusal;
  };
}
