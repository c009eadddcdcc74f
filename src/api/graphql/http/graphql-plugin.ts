import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import {
  NoSchemaIntrospectionCustomRule,
  BREAK,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  typeFromAST,
  visit,
} from 'graphql';
import type { GraphQLSchema, DocumentNode, GraphQLInputType } from 'graphql';
import { mercurius } from 'mercurius';
import type { MercuriusContext } from 'mercurius';
import { createError } from '../../../errors/catalogue.js';
import { printError } from '../../../errors/error-envelope.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import {
  callerOf,
  clientSignalOf,
  decorateCaller,
  logRequestError,
  setCaller,
} from '../../http/request-lifecycle.js';
import { cacheEntryOf, createCacheHook, MAX_CACHED_REQUEST } from '../../http/response-cache.js';
import { isRecord } from '../../../lib/records.js';
import { labelRequest } from '../../../lib/http.js';
import { memoizeWeakly } from '../../../lib/collections.js';
import type { GraphqlOptions } from '../graphql-options.js';
import type { GraphqlContext, GraphqlDependencies } from '../graphql-context.js';
import { registerPlayground } from './playground.js';
import { buildProjectSchema } from '../schema/build-schema.js';
import { registerSubscriptions } from '../subscriptions/register-subscriptions.js';
import {
  JSON_TYPE,
  createRequestHandlers,
  responseTypeOf,
  send,
  sendCached,
  sendText,
} from './request-handlers.js';
import type { EndpointRequest, EndpointResponse, RequestHandlers } from './request-handlers.js';
import { errorResponse } from './print-errors.js';
import { depthRule, exactNumbersRule } from './operation-limits.js';
import { createPersistedDocuments, isPreflighted } from './parse-request.js';
import { traceSchema } from './execute.js';

/**
 * Maximum number of input fields to compile for the variables of one operation. Lists count twice, because
 * the compiler writes code for a list and for a single value in its place.
 */
const MAX_FIELDS = 2000;

/**
 * Returns the rest of `budget` after compiling a type. Below zero: the type cannot be compiled, or is too
 * large, such as every type that contains itself.
 */
const chargeType = (inputType: GraphQLInputType, budget: number): number => {
  const type = getNullableType(inputType);
  if (isListType(type)) return chargeType(type.ofType, chargeType(type.ofType, budget));
  if (!isInputObjectType(type)) return budget - 1;
  // The type itself costs one, too. Otherwise a type whose first field is of the same type would recurse
  // forever.
  let remaining = budget - 1;
  for (const field of Object.values(type.getFields())) {
    // Compiled code rejects a missing required field, even if it has a default.
    if (remaining < 0 || field.defaultValue !== undefined) return -1;
    remaining = chargeType(field.type, remaining);
  }
  return remaining;
};

const hasBoundedVariables = (schema: GraphQLSchema, document: DocumentNode): boolean => {
  let budget = MAX_FIELDS;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const variable of definition.variableDefinitions ?? []) {
      const type = typeFromAST(schema, variable.type);
      if (type !== undefined) budget = chargeType(type as GraphQLInputType, budget);
      if (budget < 0) return false;
    }
  }
  return true;
};

/**
 * True if a document has directives. Compiled documents print a skipped field if another selection
 * contains it.
 */
const hasDirectives = (document: DocumentNode): boolean => {
  let isFound = false;
  visit(document, {
    Directive: () => {
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
};

/**
 * Creates a function that returns true if a document can be compiled. The compiler inlines the code that
 * parses nested input types. It does not end for types that contain themselves, such as filters, and ignores
 * defaults of required input fields.
 */
function createIsCompilable(schema: GraphQLSchema): (document: DocumentNode) => boolean {
  return memoizeWeakly((document) => !hasDirectives(document) && hasBoundedVariables(schema, document));
}

/** Number of runs of a document before it is compiled. Most documents are sent only once. */
const RUNS_BEFORE_COMPILING = 2;

/** Rejects an invalid credential as the REST API does, since no operation has been parsed that could fail. */
const sendUnauthorized = (reply: FastifyReply, error: GalleyError): FastifyReply =>
  sendText(reply.header('www-authenticate', 'Bearer'), printError(error), { status: 401, type: JSON_TYPE });

const registerErrorHandler = (fastify: FastifyInstance, { toGalleyError }: GraphqlDependencies): void => {
  fastify.setErrorHandler((error, request, reply) => {
    const galleyError = toGalleyError(error, request.headers);
    const response = errorResponse(galleyError);
    logRequestError(request.log, galleyError);
    return response.status === 401
      ? sendUnauthorized(reply, galleyError)
      : sendText(reply, JSON.stringify(response.body), {
          status: response.status,
          type: responseTypeOf(request.headers.accept),
        });
  });
};

/** Responds with status 405 to all methods that the endpoint does not support, before it reads a body. */
const rejectOtherMethods = (fastify: FastifyInstance, url: string): void => {
  const throwMethodNotAllowed = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('allow', 'GET, POST, HEAD');
    throw createError('request/method-not-allowed');
  };
  fastify.route({
    method: ['PUT', 'PATCH', 'DELETE', 'TRACE'],
    url,
    onRequest: throwMethodNotAllowed,
    handler: throwMethodNotAllowed,
  });
};

/**
 * Returns a function that drops all cached documents if the locales have changed, because documents that name
 * a locale were validated against the earlier ones.
 */
const createSchemaRefresher = (
  fastify: FastifyInstance,
  { access: { locales } }: GraphqlDependencies,
  schema: GraphQLSchema,
): (() => void) => {
  const codesOf = (all: ReturnType<typeof locales.all>): string => all.map(({ code }) => code).join(' ');
  let last = locales.all();
  return () => {
    const current = locales.all();
    if (current === last) return;
    if (codesOf(current) !== codesOf(last)) fastify.graphql.replaceSchema(schema);
    last = current;
  };
};

const registerBodyParser = (
  fastify: FastifyInstance,
  { parseBody }: Pick<GraphqlDependencies, 'parseBody'>,
): void => {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseBody(body),
  );
};

const registerMercurius = async (
  fastify: FastifyInstance,
  schema: GraphQLSchema,
  { depthLimit, introspection, tokenLimit }: GraphqlOptions,
): Promise<void> => {
  await fastify.register(mercurius, {
    schema,
    routes: false,
    jit: RUNS_BEFORE_COMPILING,
    graphql: { parseOptions: { maxTokens: tokenLimit } },
    validationRules: [
      depthRule(depthLimit),
      exactNumbersRule,
      ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
    ],
    errorFormatter: (execution) => ({
      statusCode: 200,
      response: { data: execution.data ?? null, errors: execution.errors ?? [] },
    }),
  });
  const isCompilable = createIsCompilable(schema);
  fastify.graphql.addHook<GraphqlContext & MercuriusContext>(
    'preExecution',
    async (_schema, document, context, variables) => {
      context.beforeRun(document, variables ?? {});
      // Mercurius does not compile a document that a hook replaces, even by itself.
      return isCompilable(document) ? {} : { document };
    },
  );
};

const playgroundHooksOf = (
  fastify: FastifyInstance,
  { model, options }: GraphqlDependencies,
): readonly ReturnType<typeof registerPlayground>[] =>
  options.playground
    ? [
        registerPlayground(fastify, options.endpoint, {
          model,
          schema: () => fastify.graphql.schema,
          introspection: options.introspection,
        }),
      ]
    : [];

const toEndpointRequest = (request: FastifyRequest, reply: FastifyReply): EndpointRequest => ({
  request,
  reply,
  caller: callerOf(request),
  signal: clientSignalOf(reply),
  isReadOnly: request.method !== 'POST',
});

const createAuthenticationHook =
  ({ access }: GraphqlDependencies): onRequestAsyncHookHandler =>
  async (request) => {
    setCaller(request, await access.authenticate(request.headers.authorization));
  };

/**
 * Returns the parts of a request that determine its response. Null if it is a batch, or longer than the
 * requests that are cached.
 */
const requestTextOf = ({ method, url, body, headers }: FastifyRequest): string | null => {
  if (method !== 'POST') return url;
  const isShort = Number(headers['content-length'] ?? Infinity) <= MAX_CACHED_REQUEST;
  return isShort && isRecord(body) ? JSON.stringify(body) : null;
};

/** Creates the hook that looks operations up in the cache. */
const createOperationCacheHook = ({
  cache,
  options,
}: GraphqlDependencies): preHandlerAsyncHookHandler | undefined => {
  // The tracing extension measures each request.
  if (cache === undefined || options.tracing) return undefined;
  return createCacheHook(cache, (request) => {
    const text = requestTextOf(request);
    return text === null ? null : { grants: callerOf(request).grants, text };
  });
};

interface Endpoint {
  readonly handlers: RequestHandlers;
  readonly upgrade: ReturnType<typeof registerSubscriptions>;
}

const registerRoutes = (
  fastify: FastifyInstance,
  dependencies: GraphqlDependencies,
  { handlers, upgrade }: Endpoint,
): void => {
  const { endpoint } = dependencies.options;
  const onRequest = createAuthenticationHook(dependencies);
  const lookUp = createOperationCacheHook(dependencies);
  const preHandler = lookUp === undefined ? {} : { preHandler: lookUp };
  const respond = async (
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (endpointRequest: EndpointRequest) => Promise<EndpointResponse>,
  ): Promise<FastifyReply> => {
    const cached = cacheEntryOf(request)?.response;
    if (!cached)
      return send(reply, await handle(toEndpointRequest(request, reply)), dependencies.cacheHeaders);
    if (cached.label !== undefined) labelRequest(request, cached.label);
    return sendCached(reply, cached, dependencies.cacheHeaders);
  };
  fastify.post(endpoint, { onRequest, ...preHandler }, async (request, reply) =>
    respond(request, reply, handlers.post),
  );
  rejectOtherMethods(fastify, endpoint);
  const playgroundHooks = playgroundHooksOf(fastify, dependencies);
  fastify.get(
    endpoint,
    { onRequest: [...playgroundHooks, onRequest], ...preHandler },
    async (request, reply) => {
      if (upgrade?.(request, reply) === true) return reply;
      if (!isPreflighted(request)) throw createError('graphql/missing-csrf-header');
      return respond(request, reply, handlers.get);
    },
  );
};

/**
 * Creates the Fastify plugin that serves the GraphQL endpoint of a content model. Start reading here. schema/
 * builds the types, fields/ the root fields with their resolvers, and selection/ plans one read for each root
 * field. extension/ applies the project's additions, and subscriptions/ serves WebSocket clients.
 */
export function createGraphqlPlugin(dependencies: GraphqlDependencies): FastifyPluginAsync {
  const { model, access, options } = dependencies;
  return async (fastify) => {
    const schema = await buildProjectSchema(
      model,
      {
        shadowCRUD: options.shadowCRUD,
        isLocale: access.locales.has,
        subscriptions: options.subscriptions !== null && dependencies.changes !== undefined,
      },
      dependencies.extension,
    );
    if (options.tracing) traceSchema(schema);
    await registerMercurius(fastify, schema, options);
    registerErrorHandler(fastify, dependencies);
    decorateCaller(fastify);
    registerBodyParser(fastify, dependencies);
    const persisted = createPersistedDocuments(
      options.persistedQueries,
      (await dependencies.loadPersisted?.()) ?? new Map(),
    );
    const handlers = createRequestHandlers({
      fastify,
      dependencies,
      schema,
      persisted,
      refreshSchema: createSchemaRefresher(fastify, dependencies, schema),
    });
    const upgrade = registerSubscriptions(fastify, {
      dependencies,
      parseOperation: handlers.parseSocketPayload,
      run: handlers.socket,
    });
    registerRoutes(fastify, dependencies, { handlers, upgrade });
  };
}
