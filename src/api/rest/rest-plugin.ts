import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { AccountContext } from '../../access/accounts/account-context.js';
import { createSharedGrantsId } from '../../access/permissions/authorise.js';
import { typeOf } from '../../model/lookup.js';
import { defined } from '../../lib/assert.js';
import { accountHandlers } from './accounts/account-handlers.js';
import { administrationHandlers, remoteHandlers } from './remote-handlers.js';
import { createReadCacheHook } from './cached-read.js';
import { CONTENT_HANDLERS, createListLocalesHandler } from './content-handlers.js';
import { decorateCaller } from '../http/request-lifecycle.js';
import { decoratePassedOn } from './guard.js';
import { decodeBody } from './parse-json-body.js';
import { createQueryCache, parseFormBody } from './parse-query-string.js';
import { registerRoutes } from './register-routes.js';
import type { HandledRoute } from './register-routes.js';
import { decorateShaped, inRequestedFormat } from './response-format.js';
import type { RemoteDependencies, RestDependencies } from './handler.js';
import { accountRoutes } from './routes/account-routes.js';
import { contentRoutes, localeRoutes } from './routes/content-routes.js';
import type { ContentOperation } from './routes/content-routes.js';
import { administrationRoutes, remoteRoutes, schemaRoutes, servedRoutes } from './routes/rest-routes.js';
import { schemaHandlers } from './schema-handlers.js';

/** The operations whose responses clients may request in the shape of Strapi 4. */
const IN_FORMATS: ReadonlySet<ContentOperation> = new Set([
  'find',
  'findOne',
  'create',
  'update',
  'findSingle',
  'updateSingle',
]);

const CACHED: ReadonlySet<ContentOperation> = new Set(['find', 'findOne', 'findSingle']);

const handledContentRoutes = (dependencies: RestDependencies): readonly HandledRoute[] => {
  const { model, prefix, strictParams: isStrict = false } = dependencies;
  const readDependencies = { ...dependencies, queries: createQueryCache(createSharedGrantsId()) };
  const preHandler = createReadCacheHook(readDependencies);
  return contentRoutes(model, prefix).map((route) => {
    const type = typeOf(model, route.contentType);
    const handler = CONTENT_HANDLERS[route.operation](readDependencies, type);
    return {
      route,
      isStrict,
      ...(IN_FORMATS.has(route.operation) ? inRequestedFormat(model, type, handler) : { handler }),
      ...(preHandler !== undefined && CACHED.has(route.operation) ? { preHandler } : {}),
    };
  });
};

const handledLocaleRoutes = (dependencies: RestDependencies): readonly HandledRoute[] => {
  const handler = createListLocalesHandler(dependencies);
  const { model, prefix } = dependencies;
  return servedRoutes(model, prefix, localeRoutes(prefix)).map((route) => ({ route, handler }));
};

const handledSchemaRoutes = ({ model, prefix, definitions }: RestDependencies): readonly HandledRoute[] => {
  if (definitions === undefined) return [];
  const handlers = schemaHandlers(definitions);
  return servedRoutes(model, prefix, schemaRoutes(prefix)).map((route) => ({
    route,
    handler: handlers[route.operation],
  }));
};

const handledRemoteRoutes = (
  dependencies: RestDependencies,
  remote: RemoteDependencies,
): readonly HandledRoute[] => {
  const { model, prefix } = dependencies;
  const handlers = remoteHandlers(dependencies, remote);
  return servedRoutes(model, prefix, remoteRoutes(prefix)).map((route) => ({
    route,
    handler: handlers[route.operation],
  }));
};

const handledAdministrationRoutes = (
  dependencies: RestDependencies,
  { administration }: RemoteDependencies,
): readonly HandledRoute[] => {
  const { model, prefix } = dependencies;
  const handlers = administrationHandlers(dependencies, administration);
  return servedRoutes(model, prefix, administrationRoutes(prefix)).map((route) => ({
    route,
    handler: defined(handlers[route.operation], route.operation),
  }));
};

const handledAccountRoutes = (
  dependencies: RestDependencies,
  accounts: AccountContext,
): readonly HandledRoute[] => {
  const { model, prefix } = dependencies;
  const handlers = accountHandlers(dependencies, accounts);
  return servedRoutes(model, prefix, accountRoutes(prefix, accounts.settings)).map((route) => ({
    route,
    handler: handlers[route.operation],
  }));
};

/**
 * Registers a parser for HTML forms. The GraphQL endpoint has none, because any site could then call it
 * without a CORS preflight.
 */
const registerFormParser = (fastify: FastifyInstance): void => {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseFormBody(decodeBody(body)),
  );
};

/**
 * Creates the Fastify plugin of the REST API: content, locales, schemas, remote commands and accounts. Start
 * reading here. routes/ declares the endpoints, register-routes.ts registers them with their guards, and the
 * *-handlers.ts files parse a request, call the operation and send the response.
 */
export function createRestPlugin(dependencies: RestDependencies): FastifyPluginAsync {
  const { access, accounts, bulkBodyLimit, remote } = dependencies;
  return async (fastify) => {
    decorateCaller(fastify);
    decoratePassedOn(fastify);
    decorateShaped(fastify);
    registerFormParser(fastify);
    const guards = {
      access,
      ...(bulkBodyLimit === undefined ? {} : { bulkBodyLimit }),
      ...(accounts === undefined ? {} : { attempts: accounts.attempts }),
    };
    registerRoutes(fastify, guards, [
      ...handledContentRoutes(dependencies),
      ...handledLocaleRoutes(dependencies),
      ...handledSchemaRoutes(dependencies),
      ...(remote === undefined
        ? []
        : [
            ...handledRemoteRoutes(dependencies, remote),
            ...handledAdministrationRoutes(dependencies, remote),
          ]),
      ...(accounts === undefined ? [] : handledAccountRoutes(dependencies, accounts)),
    ]);
  };
}
