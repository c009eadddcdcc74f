import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, NoSchemaIntrospectionCustomRule, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { mercurius } from 'mercurius';
import { fail } from '../../errors/catalogue.js';
import type { Caller } from '../../access/access.js';
import { HTTP_ERRORS } from '../../errors/http-status.js';
import type { GraphqlParts } from '../graphql-parts.js';
import { registerPlayground } from '../playground/register-playground.js';
import { buildProjectSchema } from '../schema/schema-extension.js';
import { depthRule } from './depth-rule.js';
import { execute } from './execute.js';
import type { Answer } from './execute.js';
import { printGalleyError } from './print-errors.js';
import { isPreflighted, readOperation, readQueryParameters } from './read-request.js';
import type { OperationRequest } from './read-request.js';
import { traceSchema } from './trace-schema.js';

const CALLER = 'graphqlCaller';

/** How often a document is run before it is compiled: most that is asked once is asked once only. */
const RUNS_BEFORE_COMPILING = 2;

/** Names, brackets and values of one document; far more than a client writes. */
const MAX_TOKENS = 10_000;

const send = (reply: FastifyReply, { status, body }: Answer): FastifyReply => reply.code(status).headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).send(body);

const answerErrors = (fastify: FastifyInstance, { describe }: GraphqlParts): void => {
  fastify.setErrorHandler((error, request, reply) => {
    const refused = describe(error, request.headers);
    const status = HTTP_ERRORS[refused.kind]?.status ?? 500;
    if (status >= 500) request.log.error({ err: refused.cause ?? refused, code: refused.code }, refused.message);
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    return send(reply, { status, body: JSON.stringify({ errors: [printGalleyError(refused)] }) });
  });
};

/** GET requests read only; a link or image on another site must not change anything. */
const assertReading = ({ query, operationName }: OperationRequest): void => {
  let operation: ReturnType<typeof getOperationAST>;
  try {
    operation = getOperationAST(parse(query), operationName);
  } catch {
    return;
  }
  if (operation !== null && operation !== undefined && operation.operation !== 'query') throw fail('request/method-not-allowed');
};

const readGet = (request: FastifyRequest): OperationRequest => {
  if (!isPreflighted(request)) throw fail('graphql/forgery-guard');
  const operation = readQueryParameters(request);
  assertReading(operation);
  return operation;
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

/** Registers the GraphQL endpoint of a content model. */
export function createGraphqlPlugin(parts: GraphqlParts): FastifyPluginAsync {
  const { model, access, options } = parts;
  return async (fastify) => {
    const schema = await buildProjectSchema(model, { shadowCRUD: options.shadowCRUD, isLocale: access.locales.has }, parts.extension);
    if (options.tracing) traceSchema(schema);
    const rules = [depthRule(options.depthLimit), ...(options.introspection ? [] : [NoSchemaIntrospectionCustomRule])];
    await fastify.register(mercurius, {
      schema,
      routes: false,
      jit: RUNS_BEFORE_COMPILING,
      graphql: { parseOptions: { maxTokens: MAX_TOKENS } },
      validationRules: rules,
      errorFormatter: (execution) => ({ statusCode: 200, response: { data: execution.data ?? null, errors: execution.errors ?? [] } }),
    });
    answerErrors(fastify, parts);
    fastify.decorateRequest(CALLER, null);
    const catchUp = followLocales(fastify, parts, schema);
    const run = async (request: FastifyRequest, reply: FastifyReply, operation: OperationRequest): Promise<FastifyReply> => {
      catchUp();
      return send(reply, await execute({ fastify, parts, caller: request.getDecorator<Caller>(CALLER), ip: request.ip, log: request.log, request, reply }, operation));
    };
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      request.setDecorator(CALLER, await access.authenticate(request.headers.authorization));
    };
    fastify.post(options.endpoint, { onRequest }, async (request, reply) => run(request, reply, readOperation(request.body)));
    const showPlayground = options.playground ? [registerPlayground(fastify, options.endpoint, { model, schema: () => fastify.graphql.schema, introspection: options.introspection })] : [];
    fastify.get(options.endpoint, { onRequest: [...showPlayground, onRequest] }, async (request, reply) => run(request, reply, readGet(request)));
  };
}
