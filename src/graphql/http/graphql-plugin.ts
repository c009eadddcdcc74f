import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { mercurius } from 'mercurius';
import type { MercuriusContext } from 'mercurius';
import { fail } from '../../errors/catalogue.js';
import type { Caller } from '../../access/access.js';
import type { GraphqlOptions } from '../graphql-options.js';
import type { GraphqlContext, GraphqlParts } from '../graphql-parts.js';
import { registerPlayground } from '../playground/register-playground.js';
import { buildProjectSchema } from '../schema/build-project-schema.js';
import { registerSubscriptions } from '../subscriptions/register-subscriptions.js';
import { createAnswering } from './answer-requests.js';
import type { Asked } from './answer-requests.js';
import { refusalAnswer } from './answer.js';
import type { Answer } from './answer.js';
import { isCompilable } from './compilable.js';
import { depthRule } from './depth-rule.js';
import { createPersistedDocuments } from './persisted-documents.js';
import { isPreflighted } from './read-request.js';
import { traceSchema } from './trace-schema.js';

const CALLER = 'graphqlCaller';

/** How often a document is run before it is compiled: most that is asked once is asked once only. */
const RUNS_BEFORE_COMPILING = 2;

const send = (reply: FastifyReply, { status, body }: Answer): FastifyReply => reply.code(status).headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).send(body);

const answerErrors = (fastify: FastifyInstance, { describe }: GraphqlParts): void => {
  fastify.setErrorHandler((error, request, reply) => {
    const refused = describe(error, request.headers);
    const answer = refusalAnswer(refused);
    if (answer.status >= 500) request.log.error({ err: refused.cause ?? refused, code: refused.code }, refused.message);
    if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
    return send(reply, answer);
  });
};

/** Answers 405, before a body is read. */
const refuseOtherMethods = (fastify: FastifyInstance, url: string): void => {
  const refuse = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('allow', 'GET, POST, HEAD');
    throw fail('request/method-not-allowed');
  };
  fastify.route({ method: ['PUT', 'PATCH', 'DELETE'], url, onRequest: refuse, handler: refuse });
};

/** Documents that named a locale were checked against those of their time. */
const followLocales = (fastify: FastifyInstance, { access }: GraphqlParts, schema: GraphQLSchema): (() => void) => {
  const codes = (): string => access.locales.all().map(({ code }) => code).join(' ');
  let known = codes();
  return () => {
    const now = codes();
    if (now === known) return;
    known = now;
    fastify.graphql.replaceSchema(schema);
  };
};

const registerMercurius = async (fastify: FastifyInstance, schema: GraphQLSchema, { depthLimit, introspection, tokenLimit }: GraphqlOptions): Promise<void> => {
  await fastify.register(mercurius, {
    schema,
    routes: false,
    jit: RUNS_BEFORE_COMPILING,
    graphql: { parseOptions: { maxTokens: tokenLimit } },
    validationRules: [depthRule(depthLimit), ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])],
    errorFormatter: (execution) => ({ statusCode: 200, response: { data: execution.data ?? null, errors: execution.errors ?? [] } }),
  });
  fastify.graphql.addHook<GraphqlContext & MercuriusContext>('preExecution', async (current, document, context, variables) => {
    context.beforeRun(document, variables ?? {});
    // A document that is said to be another one is run as it is.
    return isCompilable(current, document) ? {} : { document };
  });
};

/** Registers the GraphQL endpoint of a content model. */
export function createGraphqlPlugin(parts: GraphqlParts): FastifyPluginAsync {
  const { model, access, options } = parts;
  return async (fastify) => {
    const schema = await buildProjectSchema(model, { shadowCRUD: options.shadowCRUD, isLocale: access.locales.has, subscriptions: options.subscriptions !== null && parts.changes !== undefined }, parts.extension);
    if (options.tracing) traceSchema(schema);
    await registerMercurius(fastify, schema, options);
    answerErrors(fastify, parts);
    fastify.decorateRequest(CALLER, null);
    const persisted = createPersistedDocuments(options.persistedQueries, (await parts.loadPersisted?.()) ?? new Map());
    const answering = createAnswering({ fastify, parts, persisted, catchUp: followLocales(fastify, parts, schema) });
    const upgrade = registerSubscriptions(fastify, { parts, read: answering.readSocket, run: answering.socket });
    const askedBy = (request: FastifyRequest, reply: FastifyReply): Asked => ({ request, reply, caller: request.getDecorator<Caller>(CALLER) });
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      request.setDecorator(CALLER, await access.authenticate(request.headers.authorization));
    };
    fastify.post(options.endpoint, { onRequest }, async (request, reply) => send(reply, await answering.post(askedBy(request, reply))));
    refuseOtherMethods(fastify, options.endpoint);
    const showPlayground = options.playground ? [registerPlayground(fastify, options.endpoint, { model, schema: () => fastify.graphql.schema, introspection: options.introspection })] : [];
    fastify.get(options.endpoint, { onRequest: [...showPlayground, onRequest] }, async (request, reply) => {
      if (upgrade?.(request, reply) === true) return reply;
      if (!isPreflighted(request)) throw fail('graphql/forgery-guard');
      return send(reply, await answering.get(askedBy(request, reply)));
    });
  };
}
