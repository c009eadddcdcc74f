import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/access.js';
import { HttpContext } from './http-context.js';

/** What project code is told of who asks, and may leave for other project code; one per operation. */
export interface OperationState {
  /** The user who asks, with the role, once project code runs; undefined: nobody is signed in. */
  user?: Readonly<Record<string, unknown>> | undefined;
  /** `credentials`: the token's id, or the user. */
  readonly auth: { readonly strategy: { readonly name: 'api-token' | 'users-permissions' }; credentials: unknown };
  [name: string]: unknown;
}

/** What project code said about one call of a field. */
export interface FieldCall {
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether they are others than the document's. */
  readonly hasOtherArgs: boolean;
  /** Whether the field's own right is not asked for. */
  readonly isWaived: boolean;
}

/** The part of an operation's context that is there for project code. */
export interface ProjectContext {
  readonly state: OperationState;
  /** The request and the response, as policies know them. */
  readonly http: HttpContext;
  /** The same under the name that resolvers know. */
  readonly koaContext: HttpContext;
  readonly project: {
    /** By the path of the call. */
    readonly calls: WeakMap<object, FieldCall>;
    /** Records that no plan has read: project code answered them. */
    readonly foreign: WeakSet<object>;
    /** Records that the plan of a field has read, which project code may put among its own. */
    readonly planned: WeakSet<object>;
    /** Reads of what such records refer to, while they are gathered. */
    readonly batches: Map<string, unknown>;
    /** The read of the user who asks. */
    identity: Promise<void> | null;
  };
}

export interface ProjectContextParts {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  /** Null where there is no response to add to. */
  readonly reply: FastifyReply | null;
}

/** A new operation's. */
export function createProjectContext({ caller, request, reply }: ProjectContextParts): ProjectContext {
  const isToken = caller.kind === 'token';
  const state: OperationState = { auth: { strategy: { name: isToken ? 'api-token' : 'users-permissions' }, credentials: isToken ? { id: caller.tokenId } : null } };
  const http = new HttpContext({ request, reply, state });
  return { state, http, koaContext: http, project: { calls: new WeakMap(), foreign: new WeakSet(), planned: new WeakSet(), batches: new Map(), identity: null } };
}
