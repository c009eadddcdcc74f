import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';

interface HttpContextOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply | null;
  readonly state: unknown;
}

type Headers = FastifyRequest['headers'];

/** The request as project code reads it. */
interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly ip: string;
  readonly headers: Headers;
  /** The same as `headers`. */
  readonly header: Headers;
  readonly body: unknown;
  /** Returns a header by its case-insensitive name, or `''` if there is none. */
  readonly get: (name: string) => string;
}

/** The response as project code writes it. */
interface HttpResponse {
  readonly set: (name: string, value: string) => void;
  readonly get: (name: string) => string;
}

/** The request and response of an operation, for policies, middlewares and resolvers of the project. */
export class HttpContext {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply | null;
  readonly state: unknown;

  constructor({ request, reply, state }: HttpContextOptions) {
    this.#request = request;
    this.#reply = reply;
    this.state = state;
  }

  get request(): HttpRequest {
    const { method, url, ip, headers, body } = this.#request;
    return {
      method,
      url,
      path: url.replace(/\?.*/su, ''),
      ip,
      headers,
      header: headers,
      body,
      get: (name) => this.get(name),
    };
  }

  get response(): HttpResponse {
    return {
      set: (name, value) => this.set(name, value),
      get: (name) => String(this.#reply?.getHeader(name) ?? ''),
    };
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  get ip(): string {
    return this.#request.ip;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  /** Returns a header of the request. */
  get(name: string): string {
    const value = this.#request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }

  /** Sets a header of the response. */
  set(name: string, value: string): void {
    this.#reply?.header(name, value);
  }
}

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
