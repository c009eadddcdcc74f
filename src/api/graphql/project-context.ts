import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import { HttpContext } from './http-context.js';

/** Identity of the caller, for project code, which may add properties. One per operation. */
export interface OperationState {
  /** The signed-in user with the role, loaded before project code runs. Undefined: nobody is signed in. */
  user?: Readonly<Record<string, unknown>> | undefined;
  /** `credentials` is `{id}` of an API token, or the user. */
  readonly auth: {
    readonly strategy: { readonly name: 'api-token' | 'users-permissions' };
    credentials: unknown;
  };
  [name: string]: unknown;
}

/** Changes that a middleware or the configuration of a field made to one call of it. */
interface FieldCall {
  readonly args: Readonly<Record<string, unknown>>;
  /** True if `args` differ from the document's. */
  readonly hasOverriddenArgs: boolean;
  /** True if the permission check of the field is skipped (`auth: false`). */
  readonly isAuthorisationSkipped: boolean;
}

/** A read of one populated field of several records, while their document ids are collected. */
export interface PopulateBatch {
  readonly ids: Set<string>;
  /** The field's values by document id. */
  readonly recordsById: Promise<ReadonlyMap<string, unknown>>;
}

/** The part of an operation's context that project code uses. */
export interface ProjectContext {
  readonly state: OperationState;
  /** The request and the response, under the name that policies use. */
  readonly http: HttpContext;
  /** The same object, under the name that resolvers use. */
  readonly koaContext: HttpContext;
  readonly project: {
    /** By `info.path` of the call. */
    readonly calls: WeakMap<object, FieldCall>;
    /** Records that resolvers of the project returned. No plan has read their relations. */
    readonly returnedRecords: WeakSet<object>;
    /** Records that the plan of a root field has read. Project code may return them, too. */
    readonly readRecords: WeakSet<object>;
    /** Pending reads of relations of returned records, by key. Each becomes one statement. */
    readonly batches: Map<string, PopulateBatch>;
    /** The pending read of `state.user`. */
    userLoading: Promise<void> | null;
  };
}

export interface ProjectContextOptions {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  /** Null over WebSocket. */
  readonly reply: FastifyReply | null;
}

/** Creates the project's context of one operation. */
export function createProjectContext({ caller, request, reply }: ProjectContextOptions): ProjectContext {
  const isToken = caller.kind === 'token';
  const state: OperationState = {
    auth: {
      strategy: { name: isToken ? 'api-token' : 'users-permissions' },
      credentials: isToken ? { id: caller.tokenId } : null,
    },
  };
  const http = new HttpContext({ request, reply, state });
  return {
    state,
    http,
    koaContext: http,
    project: {
      calls: new WeakMap(),
      returnedRecords: new WeakSet(),
      readRecords: new WeakSet(),
      batches: new Map(),
      userLoading: null,
    },
  };
}
