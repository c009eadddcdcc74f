import type { DocumentNode, FieldNode } from 'graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Caller } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { ChangeFeed } from '../../documents/changes/change-feed.js';
import type { DocumentService } from '../../documents/documents.js';
import type { TaggedRead } from '../../documents/tags/response-tags.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { LazySignal } from '../../lib/resources.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { QueryLimits } from '../../query/read-context.js';
import type { CacheHeaders } from '../http/cache-headers.js';
import type { ResponseCache } from '../http/response-cache.js';
import type { GraphqlOptions } from './graphql-options.js';
import type { SchemaExtension } from './schema/type-registry.js';
import type { Delivery } from './subscriptions/delivery.js';

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
interface ProjectContext {
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

interface ProjectContextOptions {
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

/** Errors in the arguments of fields, by the position of the field in the document. */
export type ArgumentErrors = Map<number, GalleyError>;

/** The codes of errors in the arguments of one field. All others concern the whole request. */
const ARGUMENT_ERROR_CODES: readonly string[] = ['request/invalid-parameter', 'request/mixed-pagination'];

const positionOf = (node: FieldNode | undefined): number => node?.loc?.start ?? -1;

/** Returns the result of `parse`. If the arguments are invalid, records the error and returns null. */
export function recordArgumentError<T>(
  argumentErrors: ArgumentErrors,
  node: FieldNode,
  parse: () => T,
): T | null {
  try {
    return parse();
  } catch (error) {
    if (!isGalleyError(error) || !ARGUMENT_ERROR_CODES.includes(error.code)) throw error;
    argumentErrors.set(positionOf(node), error);
    return null;
  }
}

/** Returns the error in the arguments of the field, if there is one. */
export function argumentErrorOf(
  argumentErrors: ArgumentErrors,
  node: FieldNode | undefined,
): GalleyError | undefined {
  return argumentErrors.get(positionOf(node));
}

/** The services the GraphQL transport is built from. */
export interface GraphqlDependencies {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  /** Service for the fields of published versions. */
  readonly history?: DocumentHistory;
  readonly access: Access;
  readonly options: GraphqlOptions;
  /** Limit on the populated attributes, filter conditions and sort keys of one root field. */
  readonly maxNodes: number;
  /** Maximum number of items in one bulk mutation. */
  readonly maxBulk: number;
  readonly accounts: AccountContext;
  readonly media: MediaLibrary;
  /** Parses the JSON body of a request. Throws errors of the catalogue. */
  readonly parseBody: (bytes: Buffer) => unknown;
  /** Converts any thrown value to an error of the catalogue. */
  readonly toGalleyError: (error: unknown, headers?: unknown) => GalleyError;
  /** Notifies subscriptions of writes. Absent: no subscriptions. */
  readonly changes?: ChangeFeed;
  /** Loads the project's persisted documents (`persistedQueries.from`) by hash or name. Absent: none. */
  readonly loadPersisted?: () => Promise<ReadonlyMap<string, string>>;
  /** Cache of responses. Absent: every response is read from the database. */
  readonly cache?: ResponseCache;
  /** Headers for shared caches. Absent: clients cache responses only for themselves. */
  readonly cacheHeaders?: CacheHeaders | undefined;
  /** The project's additions to the schema. Absent: none. */
  readonly extension?: SchemaExtension;
}

/** Timing of one field, in the format of the tracing extension. Times are in nanoseconds. */
interface ResolverTrace {
  readonly path: readonly (string | number)[];
  readonly parentType: string;
  readonly fieldName: string;
  readonly returnType: string;
  readonly startOffset: number;
  readonly duration: number;
}

/** The part of the context that planning a read depends on. */
export type PlanningContext = Pick<GraphqlContext, 'dependencies' | 'rights' | 'limits' | 'argumentErrors'>;

/** The context that resolvers get. One per operation. */
export interface GraphqlContext extends ProjectContext {
  readonly dependencies: GraphqlDependencies;
  readonly limits: QueryLimits;
  readonly caller: Caller;
  /** Returns the signal that aborts a query when its client disconnects. Undefined in a mutation. */
  readonly signal: () => LazySignal | undefined;
  /** The reads of generated root fields, with their results, in the order in which they end. */
  readonly reads: TaggedRead[];
  /** The client's IP address. */
  readonly ip: string;
  /** The caller's rights to documents, also over relations. */
  readonly rights: ReadAccess;
  /**
   * Adds to the number of records in root lists.
   *
   * @throws `graphql/too-many-items` when the request exceeds `amountLimit`
   */
  readonly chargeItems: (count: number) => void;
  /** @throws `graphql/too-many-items` if a nested list is longer than `amountLimit` */
  readonly assertListSize: (count: number) => void;
  /** Errors in the arguments of nested fields, which the plan omits. Their resolvers throw them. */
  readonly argumentErrors: ArgumentErrors;
  /** The event a subscription delivers. Null for queries and mutations. */
  readonly delivery: Delivery | null;
  /** Called after validation and before execution. Throws to reject the operation. */
  readonly beforeRun: (document: DocumentNode, variables: Readonly<Record<string, unknown>>) => void;
  /** Null unless tracing is on. */
  readonly trace: { readonly startedAt: bigint; readonly resolvers: ResolverTrace[] } | null;
}
