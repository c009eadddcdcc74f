import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Access, Caller } from '../access/access.js';
import type { Uid } from '../model/model.js';

const CALLER = 'caller';

/** Makes room on every request for who makes it. */
export function decorateCaller(fastify: FastifyInstance): void {
  fastify.decorateRequest(CALLER, null);
}

/** Who makes a request, or null where nothing has asked yet. */
export function knownCallerOf(request: FastifyRequest): Caller | null {
  return request.getDecorator<Caller | null>(CALLER);
}

/** Who makes a request that a {@link guard} has let through. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER);
}

/** Finds out who makes a request, whatever they may do. */
export function knowCaller(access: Access): onRequestAsyncHookHandler {
  return async (request) => {
    request.setDecorator(CALLER, await access.authenticate(request.headers.authorization));
  };
}

/** Lets a request through only if its caller was granted that action; before its body is read and before anything is looked up. */
export function guard(access: Access, uid: Uid, action: string): onRequestAsyncHookHandler {
  return async (request) => {
    const caller = await access.authenticate(request.headers.authorization);
    access.authorise(caller, uid, action);
    request.setDecorator(CALLER, caller);
  };
}
