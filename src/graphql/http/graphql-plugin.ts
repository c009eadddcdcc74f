import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { mercurius } from 'mercurius';
import type { MercuriusContext } from 'mercurius';
import { createError } from '../../errors/catalogue.js';
import { printError } from '../../errors/error-envelope.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { Caller } from '../../access/access.js';
import type { GraphqlOptions } from '../graphql-options.js';
import type { GraphqlContext, GraphqlDependencies } from '../graphql-context.js';
import { toBody } from '../../lib/text-chunks.js';
import { registerPlayground } from '../playground/register-playground.js';
import { buildProjectSchema } from '../schema/build-project-schema.js';
import { registerSubscriptions } from '../subscriptions/register-subscriptions.js';
import { createRequestHandlers } from './create-request-handlers.js';
import type { EndpointRequest } from './create-request-handlers.js';
import { errorResponse, printBody } from './operation-response.js';
import type { OperationResponse, PrintedResponse } from './operation-response.js';
import { isCompilable } from './is-compilable.js';
import { depthRule } from './depth-rule.js';
import { createPersistedDocuments } from './persisted-documents.js';
import { isPreflighted } from './parse-request.js';
import { createRepeatedBodies } from './repeated-bodies.js';
import type { RepeatedBodies } from './repeated-bodies.js';
import { JSON_TYPE, responseTypeOf } from './response-type.js';
import type { ResponseType } from './response-type.js';
import { traceSchema } from './trace-schema.js';

const CALLER_DECORATOR = 'graphqlCaller';

/** How often a document runs before it is compiled. Most documents are sent only once. */
const RUNS_BEFORE_COMPILING = 2;

const sendText = (
  reply: FastifyReply,
  text: string,
  { status, type }: { readonly status: number; readonly type: ResponseType },
): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
    .send(toBody(text));

const send = (reply: FastifyReply, response: OperationResponse | PrintedResponse): FastifyReply =>
  sendText(reply, printBody(response), {
    status: response.status,
    type: responseTypeOf(reply.request.headers.accept),
  });

/** A credential that is not valid is refused as over REST: no operation is parsed that could answer. */
const sendUnauthorized = (reply: FastifyReply, error: GalleyError): FastifyReply =>
  sendText(reply.header('www-authenticate', 'Bearer'), printError(error), { status: 401, type: JSON_TYPE });

const registerErrorHandler = (fastify: FastifyInstance, { toGalleyError }: GraphqlDependencies): void => {
  fastify.setErrorHandler((error, request, reply) => {
    const galleyError = toGalleyError(error, request.headers);
    const response = errorResponse(galleyError);
    if (response.status >= 500)
      request.log.error(
        { err: galleyError.cause ?? galleyError, code: galleyError.code },
        galleyError.message,
      );
    return response.status === 401 ? sendUnauthorized(reply, galleyError) : send(reply, response);
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
 * Returns a function that drops all cached documents and returns true if the locales have changed, because
 * documents that name a locale were validated against the earlier ones.
 */
const createSchemaRefresher = (
  fastify: FastifyInstance,
  { access }: GraphqlDependencies,
  schema: GraphQLSchema,
): (() => boolean) => {
  const codes = (): string =>
    access.locales
      .all()
      .map(({ code }) => code)
      .join(' ');
  let lastCodes = codes();
  return () => {
    const currentCodes = codes();
    if (currentCodes === lastCodes) return false;
    lastCodes = currentCodes;
    fastify.graphql.replaceSchema(schema);
    return true;
  };
};

const registerBodyParser = (fastify: FastifyInstance, { parse }: RepeatedBodies): void => {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => parse(text),
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
    validationRules: [depthRule(depthLimit), ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])],
    errorFormatter: (execution) => ({
      statusCode: 200,
      response: { data: execution.data ?? null, errors: execution.errors ?? [] },
    }),
  });
  fastify.graphql.addHook<GraphqlContext & MercuriusContext>(
    'preExecution',
    async (current, document, context, variables) => {
      context.beforeRun(document, variables ?? {});
      // Mercurius does not compile a document that a hook replaces, even by itself.
      return isCompilable(current, document) ? {} : { document };
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

/** Creates the Fastify plugin that serves the GraphQL endpoint of a content model. */
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
    fastify.decorateRequest(CALLER_DECORATOR, null);
    const bodies = createRepeatedBodies(dependencies.parseBody);
    registerBodyParser(fastify, bodies);
    const persisted = createPersistedDocuments(
      options.persistedQueries,
      (await dependencies.loadPersisted?.()) ?? new Map(),
    );
    const handlers = createRequestHandlers({
      fastify,
      dependencies,
      bodies,
      schema,
      persisted,
      refreshSchema: createSchemaRefresher(fastify, dependencies, schema),
    });
    const upgrade = registerSubscriptions(fastify, {
      dependencies,
      parseOperation: handlers.parseSocketPayload,
      run: handlers.socket,
    });
    const toEndpointRequest = (request: FastifyRequest, reply: FastifyReply): EndpointRequest => ({
      request,
      reply,
      caller: request.getDecorator<Caller>(CALLER_DECORATOR),
    });
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      request.setDecorator(CALLER_DECORATOR, await access.authenticate(request.headers.authorization));
    };
    fastify.post(options.endpoint, { onRequest }, async (request, reply) =>
      send(reply, await handlers.post(toEndpointRequest(request, reply))),
    );
    rejectOtherMethods(fastify, options.endpoint);
    const playgroundHooks = playgroundHooksOf(fastify, dependencies);
    fastify.get(options.endpoint, { onRequest: [...playgroundHooks, onRequest] }, async (request, reply) => {
      if (upgrade?.(request, reply) === true) return reply;
      if (!isPreflighted(request)) throw createError('graphql/missing-csrf-header');
      return send(reply, await handlers.get(toEndpointRequest(request, reply)));
    });
  };
}
