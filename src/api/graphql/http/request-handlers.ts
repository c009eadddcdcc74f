import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BREAK, OperationTypeNode, TypeInfo, parse, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Caller } from '../../../access/access.js';
import { createError } from '../../../errors/catalogue.js';
import { addVary, areLongTexts, isKnownEtag, requestLabelOf, toBody } from '../../../lib/http.js';
import type { LazySignal } from '../../../lib/resources.js';
import { memoizeWeakly } from '../../../lib/collections.js';
import type { CacheHeaders } from '../../http/cache-headers.js';
import { optionalCallerOf } from '../../http/request-lifecycle.js';
import { cacheEntryOf, sendNotModified } from '../../http/response-cache.js';
import type { CachedResponse } from '../../http/response-cache.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { isCacheableField } from '../schema/field-marks.js';
import type { SocketOperation } from '../subscriptions/register-subscriptions.js';
import { assertVariables, createVariableBudget } from './assert-variables.js';
import type { VariableBudget } from './assert-variables.js';
import { execute } from './execute.js';
import type { Execution } from './execute.js';
import { createBudget } from './operation-limits.js';
import type { OperationBudget } from './operation-limits.js';
import { parseQueryParameters, parseOperationRequest } from './parse-request.js';
import type { OperationRequest, PersistedDocuments } from './parse-request.js';
import { withErrorResponse } from './print-errors.js';
import type { OperationResponse } from './print-errors.js';

export const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** The media type of a response to an operation. */
type ResponseType = typeof JSON_TYPE | typeof RESPONSE_TYPE;

/** The values of `Content-Type`. */
const CONTENT_TYPES: Readonly<Record<ResponseType, string>> = {
  [JSON_TYPE]: `${JSON_TYPE}; charset=utf-8`,
  [RESPONSE_TYPE]: `${RESPONSE_TYPE}; charset=utf-8`,
};

const NAMES_RESPONSE_TYPE = /graphql-response/i;

interface Preference {
  readonly quality: number;
  readonly index: number;
  readonly isExact: boolean;
}

const qualityOf = (parameters: readonly string[]): number => {
  const quality = parameters.map((parameter) => /^q=([\d.]+)$/i.exec(parameter.trim())?.[1]).find(Boolean);
  return quality === undefined ? 1 : Number(quality);
};

/** Returns how much the client prefers a type by the `Accept` header, or null if it does not accept it. */
const preferenceOf = (accept: string, type: ResponseType): Preference | null => {
  const ranges = accept.split(',').map((range, index) => {
    const [name = '', ...parameters] = range.split(';');
    return { name: name.trim().toLowerCase(), quality: qualityOf(parameters), index };
  });
  const exact = ranges.find(({ name }) => name === type);
  const range = exact ?? ranges.find(({ name }) => name === 'application/*' || name === '*/*');
  return range === undefined || range.quality === 0
    ? null
    : { quality: range.quality, index: range.index, isExact: exact !== undefined };
};

/**
 * Returns the media type in which a client wants its response. `application/json`, unless the header `Accept`
 * names the type of GraphQL over HTTP and prefers it.
 */
export function responseTypeOf(accept = ''): ResponseType {
  if (!NAMES_RESPONSE_TYPE.test(accept)) return JSON_TYPE;
  const [response, json] = [preferenceOf(accept, RESPONSE_TYPE), preferenceOf(accept, JSON_TYPE)];
  if (response?.isExact !== true) return JSON_TYPE;
  if (json === null || response.quality > json.quality) return RESPONSE_TYPE;
  const isFirst = !json.isExact || response.index < json.index;
  return response.quality === json.quality && isFirst ? RESPONSE_TYPE : JSON_TYPE;
}

interface BatchDependencies {
  readonly options: GraphqlOptions;
  /** Throws errors of the catalogue. */
  readonly parseOperation: (payload: unknown) => OperationRequest;
  readonly run: (operation: OperationRequest, budget: OperationBudget) => Promise<OperationResponse>;
}

const tryParse = (query: string, maxTokens: number): DocumentNode | null => {
  try {
    return parse(query, { maxTokens });
  } catch {
    return null;
  }
};

/** Charges all operations of a batch. Syntax errors cost nothing; running the operation reports them. */
const chargeAll = (
  operations: readonly OperationRequest[],
  budget: OperationBudget,
  { options }: BatchDependencies,
): void => {
  for (const { query, operationName, variables } of operations) {
    const document = tryParse(query, options.tokenLimit);
    if (document !== null) budget.charge({ document, operationName, variables });
  }
};

/**
 * Runs a list of operations one after the other. The costs of all are charged before the first runs.
 *
 * @throws `graphql/invalid-request`, `graphql/batch-too-large`, and the errors of
 *   {@link OperationBudget.charge}; errors of single operations are part of the response
 */
async function runBatch(
  payloads: readonly unknown[],
  dependencies: BatchDependencies,
): Promise<readonly OperationResponse[]> {
  const { options, parseOperation, run } = dependencies;
  if (payloads.length === 0)
    throw createError('graphql/invalid-request', { reason: 'A batch must contain at least one operation.' });
  if (payloads.length > options.batchLimit)
    throw createError('graphql/batch-too-large', { size: payloads.length, limit: options.batchLimit });
  const operations = payloads.map(parseOperation);
  const budget = createBudget(options);
  chargeAll(operations, budget, dependencies);
  const chargedBudget: OperationBudget = { ...budget, charge: () => undefined };
  const responses: OperationResponse[] = [];
  for (const operation of operations)
    responses.push(await withErrorResponse(() => run(operation, chargedBudget)));
  return responses;
}

/** A request with its caller. */
export interface EndpointRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly signal: LazySignal;
  /** True if only queries are allowed. */
  readonly isReadOnly: boolean;
}

/** The response to one operation, or the responses to a batch. */
export type EndpointResponse = OperationResponse | readonly OperationResponse[];

/**
 * The handlers of operations by transport: POST, GET and WebSocket. Each throws errors of the catalogue for
 * requests that are rejected before an operation runs.
 */
export interface RequestHandlers {
  readonly post: (endpointRequest: EndpointRequest) => Promise<EndpointResponse>;
  readonly get: (endpointRequest: EndpointRequest) => Promise<EndpointResponse>;
  /** Parses the payload of a WebSocket client's `subscribe` message. */
  readonly parseSocketPayload: (payload: unknown) => Promise<OperationRequest>;
  readonly socket: (endpointRequest: SocketOperation) => Promise<OperationResponse>;
}

interface RequestHandlerDependencies {
  readonly fastify: FastifyInstance;
  readonly dependencies: GraphqlDependencies;
  readonly persisted: PersistedDocuments;
  readonly schema: GraphQLSchema;
  /** Called before each operation. If the schema has changed, documents are validated again. */
  readonly refreshSchema: () => void;
}

type RequestExecution = Omit<Execution, 'fastify' | 'dependencies' | 'ip' | 'log' | 'isCacheable'>;

const TYPENAME = '__typename';

/**
 * Creates a function that returns true if the response to a GraphQL document depends only on the content that
 * its root fields read: all fields are generated, and no project code runs at them.
 */
function createIsCacheable(schema: GraphQLSchema): (document: DocumentNode) => boolean {
  return memoizeWeakly((document: DocumentNode): boolean => {
    const types = new TypeInfo(schema);
    let isFound = false;
    visit(
      document,
      visitWithTypeInfo(types, {
        OperationDefinition: ({ operation }) => {
          if (operation === OperationTypeNode.QUERY) return undefined;
          isFound = true;
          return BREAK;
        },
        Field: ({ name }) => {
          if (name.value === TYPENAME) return undefined;
          const field = types.getFieldDef();
          const isRoot = types.getParentType() === schema.getQueryType();
          if (field !== null && field !== undefined && isCacheableField(field, isRoot)) return undefined;
          isFound = true;
          return BREAK;
        },
      }),
    );
    return !isFound;
  });
}

export function createRequestHandlers({
  fastify,
  dependencies,
  persisted,
  schema,
  refreshSchema,
}: RequestHandlerDependencies): RequestHandlers {
  const { options } = dependencies;
  const isCacheableDocument = createIsCacheable(schema);
  const resolve = (payload: unknown, budget: VariableBudget): OperationRequest => {
    const operation = persisted.resolve(parseOperationRequest(payload));
    assertVariables(operation, { schema, tokenLimit: options.tokenLimit, budget });
    return operation;
  };
  const run = async (
    execution: RequestExecution,
    operation: OperationRequest,
  ): Promise<OperationResponse> => {
    refreshSchema();
    const { ip, log } = execution.request;
    const response = await execute(
      { fastify, dependencies, ip, log, isCacheable: isCacheableDocument, ...execution },
      operation,
    );
    if (response.status === 200) persisted.store(operation);
    return response;
  };
  const runOne = async (endpointRequest: EndpointRequest, payload: unknown): Promise<OperationResponse> =>
    run(
      { ...endpointRequest, budget: createBudget(options), delivery: null },
      resolve(payload, createVariableBudget()),
    );
  return {
    post: async (endpointRequest) => {
      const { body } = endpointRequest.request;
      if (!Array.isArray(body)) return runOne(endpointRequest, body);
      const variableBudget = createVariableBudget();
      return runBatch(body, {
        options,
        parseOperation: (payload) => resolve(payload, variableBudget),
        run: (operation, budget) => run({ ...endpointRequest, budget, delivery: null }, operation),
      });
    },
    get: async (endpointRequest) =>
      runOne(endpointRequest, parseQueryParameters(endpointRequest.request.url)),
    parseSocketPayload: async (payload) => resolve(payload, createVariableBudget()),
    socket: ({ operation, ...endpointRequest }) =>
      withErrorResponse(() =>
        run({ ...endpointRequest, reply: null, budget: createBudget(options), isReadOnly: false }, operation),
      ),
  };
}

/** Request headers that determine the response to a GET request. */
const VARY = 'Accept, Authorization';

/** Seconds after which clients may repeat a request to an overloaded server. */
const RETRY_SECONDS = 1;

interface TextOptions {
  readonly status: number;
  readonly type: ResponseType;
}

/** Sends JSON text. */
export function sendText(reply: FastifyReply, text: string, { status, type }: TextOptions): FastifyReply {
  reply.code(status).header('content-type', CONTENT_TYPES[type]).header('cache-control', 'no-store');
  if (status === 503) reply.header('retry-after', RETRY_SECONDS);
  return reply.send(toBody(text));
}

/**
 * Sends a cached response. Only responses to GET can be cached: by clients for themselves, which revalidate
 * them by ETag, and by shared caches if the configuration sets a time for their types and nobody is signed
 * in.
 */
export function sendCached(
  reply: FastifyReply,
  { body, etag, headers }: CachedResponse,
  cacheHeaders: CacheHeaders | undefined,
): FastifyReply {
  const { request } = reply;
  const type = responseTypeOf(request.headers.accept);
  if (request.method === 'POST') return sendText(reply, body, { status: 200, type });
  const isPublic = optionalCallerOf(request)?.kind === 'anonymous';
  if (isPublic && headers !== undefined) cacheHeaders?.sendTags(reply, headers);
  const control = (isPublic ? headers?.cacheControl : null) ?? 'private, no-cache';
  reply.header('etag', etag).header('cache-control', control);
  reply.header('vary', addVary(reply.getHeader('vary'), VARY));
  if (isKnownEtag(request.headers['if-none-match'], etag)) return sendNotModified(reply, body);
  return reply.header('content-type', CONTENT_TYPES[type]).send(body);
}

/** Sends the response to one operation or a batch, and caches it if possible. */
export function send(
  reply: FastifyReply,
  response: EndpointResponse,
  cacheHeaders: CacheHeaders | undefined,
): FastifyReply {
  const type = responseTypeOf(reply.request.headers.accept);
  if (!('status' in response)) {
    const text = JSON.stringify(response.map(({ body }) => body));
    return sendText(reply, text, { status: 200, type });
  }
  const { status, body, reads } = response;
  const text = JSON.stringify(body);
  const entry = cacheEntryOf(reply.request);
  // Long text is sent in parts, since encoding it would hold up other requests.
  if (reads === null || entry === null || areLongTexts([text]))
    return sendText(reply, text, { status, type });
  const label = requestLabelOf(reply.request);
  const queries = reads.map(({ query }) => query);
  const cached = entry.store(queries, { body: text, label, headers: cacheHeaders?.headersOf(reads) });
  return cached ? sendCached(reply, cached, cacheHeaders) : sendText(reply, text, { status, type });
}
