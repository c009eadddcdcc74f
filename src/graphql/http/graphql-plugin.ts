import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { mercurius } from 'mercurius';
import type { MercuriusContext } from 'mercurius';
import { createError } from '../../errors/catalogue.js';
import { printError } from '../../errors/error-envelope.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { logRequestError } from '../../http/log-request-error.js';
import type { Caller } from '../../access/access.js';
import type { GraphqlOptions } from '../graphql-options.js';
import type { GraphqlContext, GraphqlDependencies } from '../graphql-context.js';
import { registerPlayground } from '../playground/register-playground.js';
import { buildProjectSchema } from '../schema/build-project-schema.js';
import { registerSubscriptions } from '../subscriptions/register-subscriptions.js';
import { createRequestHandlers } from './create-request-handlers.js';
import type { EndpointRequest, EndpointResponse, RequestHandlers } from './create-request-handlers.js';
import { errorResponse, printBody } from './operation-response.js';
import { isCompilable } from './is-compilable.js';
import { depthRule } from './depth-rule.js';
import { exactNumbersRule } from './exact-numbers-rule.js';
import { createPersistedDocuments } from './persisted-documents.js';
import { isPreflighted } from './parse-request.js';
import { createRepeatedRequests } from './repeated-requests.js';
import type { RepeatedRequests } from './repeated-requests.js';
import { requesterAt } from '../../lib/requester.js';
import { untilSent } from '../../lib/until-sent.js';
import { JSON_TYPE, responseTypeOf } from './response-type.js';
import { send, sendText } from './send-response.js';
import { createTeach } from './teach-shortcut.js';
import { traceSchema } from './trace-schema.js';

const CALLER_DECORATOR = 'graphqlCaller';

/** How often a document runs before it is compiled. Most documents are sent only once. */
const RUNS_BEFORE_COMPILING = 2;

/** A credential that is not valid is refused as over REST: no operation is parsed that could answer. */
const sendUnauthorized = (reply: FastifyReply, error: GalleyError): FastifyReply =>
  sendText(reply.header('www-authenticate', 'Bearer'), printError(error), { status: 401, type: JSON_TYPE });

const registerErrorHandler = (fastify: FastifyInstance, { toGalleyError }: GraphqlDependencies): void => {
  fastify.setErrorHandler((error, request, reply) => {
    const galleyError = toGalleyError(error, request.headers);
    const response = errorResponse(galleyError);
    logRequestError(request.log, galleyError);
    return response.status === 401
      ? sendUnauthorized(reply, galleyError)
      : sendText(reply, printBody(response), {
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
 * Returns a function that drops all cached documents and returns true if the locales have changed, because
 * documents that name a locale were validated against the earlier ones.
 */
const createSchemaRefresher = (
  fastify: FastifyInstance,
  { access: { locales } }: GraphqlDependencies,
  schema: GraphQLSchema,
): (() => boolean) => {
  const codesOf = (all: ReturnType<typeof locales.all>): string => all.map(({ code }) => code).join(' ');
  let last = locales.all();
  return () => {
    const current = locales.all();
    if (current === last) return false;
    const isSame = codesOf(current) === codesOf(last);
    last = current;
    if (!isSame) fastify.graphql.replaceSchema(schema);
    return !isSame;
  };
};

const registerBodyParser = (fastify: FastifyInstance, { parse }: RepeatedRequests): void => {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (_request: FastifyRequest, text: string, done) => {
      try {
        done(null, parse(text));
      } catch (error) {
        done(error as Error);
      }
    },
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

const callerOf = (request: FastifyRequest): Caller => request.getDecorator<Caller>(CALLER_DECORATOR);

const toEndpointRequest = (request: FastifyRequest, reply: FastifyReply): EndpointRequest => ({
  request,
  reply,
  caller: callerOf(request),
  requester: requesterAt(reply.raw),
  isReadOnly: request.method !== 'POST',
});

/** Creates the hook that says who the caller is: at once where that is known. */
const createAuthenticationHook = ({ access }: GraphqlDependencies): onRequestHookHandler => {
  const authenticate = async (request: FastifyRequest, next: (error?: Error) => void): Promise<void> => {
    try {
      request.setDecorator(CALLER_DECORATOR, await access.authenticate(request.headers.authorization));
    } catch (error) {
      next(error as Error);
      return;
    }
    next();
  };
  return (request, _reply, next) => {
    const caller = access.authenticateAtOnce(request.headers.authorization);
    if (caller === null) {
      void authenticate(request, next);
      return;
    }
    request.setDecorator(CALLER_DECORATOR, caller);
    next();
  };
};

interface Endpoint {
  readonly handlers: RequestHandlers;
  readonly upgrade: ReturnType<typeof registerSubscriptions>;
  readonly bodies: RepeatedRequests;
}

const registerRoutes = (
  fastify: FastifyInstance,
  dependencies: GraphqlDependencies,
  { handlers, upgrade, bodies }: Endpoint,
): void => {
  const { options, sendsText = () => false } = dependencies;
  const sending = { sendsText, onAnswered: createTeach(dependencies, bodies, callerOf) };
  const onRequest = createAuthenticationHook(dependencies);
  const respond = (
    reply: FastifyReply,
    response: EndpointResponse | Promise<EndpointResponse>,
  ): Promise<FastifyReply | undefined> | void => {
    if (response instanceof Promise)
      return response.then((settled) => untilSent(send(reply, settled, sending)));
    send(reply, response, sending);
  };
  fastify.post(options.endpoint, { onRequest }, (request, reply) =>
    respond(reply, handlers.post(toEndpointRequest(request, reply))),
  );
  rejectOtherMethods(fastify, options.endpoint);
  const playgroundHooks = playgroundHooksOf(fastify, dependencies);
  fastify.get(options.endpoint, { onRequest: [...playgroundHooks, onRequest] }, (request, reply) => {
    if (upgrade?.(request, reply) === true) return reply;
    if (!isPreflighted(request)) throw createError('graphql/missing-csrf-header');
    return respond(reply, handlers.get(toEndpointRequest(request, reply)));
  });
};

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
    const bodies = createRepeatedRequests(dependencies.parseBody);
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
    registerRoutes(fastify, dependencies, { handlers, upgrade, bodies });
  };
}
