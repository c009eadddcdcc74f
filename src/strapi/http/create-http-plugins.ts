import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { createCodeFinder } from '../code/find-code.js';
import type { StrapiContext } from '../context.js';
import { attachToFastify } from './attach.js';
import { AUTH_SERVICE } from './authentication.js';
import { createContentApi } from './content-api/create-content-api.js';
import type { HttpHost } from './http-host.js';
import { describeEntry } from './listed-route.js';
import type { ListedRoute } from './listed-route.js';
import { createHttpLayer } from './http-layer.js';
import type { HttpLayer } from './http-layer.js';
import { addBuiltinMiddlewares } from './builtin/builtin-middlewares.js';
import { globalMiddlewares } from './middlewares.js';
import { servePublicFiles } from './public-files.js';
import { createRequestContext } from './request-context.js';
import { bodyLimits } from './request-body.js';
import { sessionSettings } from './session.js';
import { createStrapiServer } from './strapi-server.js';

const MEGABYTE = 1024 * 1024;

/** Forms with files are read into memory, so that one of them cannot take all of it. */
const MAX_FORM_BYTES = 100 * MEGABYTE;

const defaultExport = (loaded: unknown): unknown =>
  isRecord(loaded) && 'default' in loaded ? loaded['default'] : loaded;

/**
 * Loads a package that is installed in the project, or a file of the project. @throws at once if there is
 * none
 */
const createModuleLoader = (
  root: string,
  load: (file: string) => Promise<unknown>,
): HttpHost['loadModule'] => {
  const { resolve } = createRequire(join(root, 'package.json'));
  const { findModule } = createCodeFinder(root);
  const find = (path: string): string => {
    try {
      return resolve(path);
    } catch {
      const file = join(root, path);
      const found =
        findModule(dirname(file), basename(file)) ??
        findModule(dirname(file), basename(file, extname(file))) ??
        findModule(file, 'index');
      if (found === undefined) throw createError('project/unknown-middleware', { name: path });
      return found.file;
    }
  };
  return (path) => load(find(path)).then(defaultExport);
};

const USER_UID = 'plugin::users-permissions.user';

const projectMiddlewares = ({ configuration }: StrapiContext): readonly unknown[] => {
  const entries: unknown = configuration.get('middlewares');
  return Array.isArray(entries) ? entries : [];
};

const createHost = (context: StrapiContext): HttpHost => {
  const { root, config, model, access, log, registries, configuration, projectDocuments, loader } = context;
  const { prefix, maxBulk: _maxBulk, ...limits } = config.api.rest;
  const keys: unknown = configuration.get('server.app.keys');
  return {
    root,
    strapi: context.strapi,
    model,
    access,
    logger: log,
    prefix,
    limits,
    isProxied: config.server.proxy !== false,
    bodyLimits: bodyLimits(projectMiddlewares(context), config.server.bodyLimit),
    uploadLimit: Math.min(config.upload.sizeLimit * config.upload.maxFiles, MAX_FORM_BYTES),
    session: sessionSettings(projectMiddlewares(context)),
    keys: Array.isArray(keys) ? keys.map(String) : undefined,
    ...registries,
    loadUser: async (id) => projectDocuments(USER_UID).findFirst({ filters: { id }, populate: ['role'] }),
    loadModule: createModuleLoader(root, loader.load),
  };
};

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Listeners of the project run in writes, and in reads where anything wraps those. */
const createNeedsContext =
  ({ hooks, code, model }: StrapiContext): ((request: FastifyRequest) => boolean) =>
  ({ method }) =>
    READ_METHODS.has(method)
      ? model.types.some(({ uid }) => hooks.wrapsReads(uid))
      : code.files.length > 0 || model.types.some(({ uid }) => hooks.hasMiddleware(uid));

const createPlugin = (context: StrapiContext, host: HttpHost, layer: HttpLayer) =>
  fastifyPlugin(async (fastify) => {
    for (const middleware of await globalMiddlewares(host, projectMiddlewares(context), layer.readBody))
      layer.use(middleware);
    layer.table();
    attachToFastify(fastify, layer);
    servePublicFiles(fastify, host.root, projectMiddlewares(context));
  });

/** The routes of a project. */
export interface ProjectRoutes {
  /** Tells project code of the application, before anything of it runs. */
  readonly connect: (fastify: FastifyInstance) => void;
  readonly plugins: readonly FastifyPluginAsync[];
  /** Returns the routes, each with its treatment by the server. */
  readonly list: () => readonly ListedRoute[];
}

/** Creates the routes of a project, and adds to `strapi` what project code knows of them. */
export function createProjectRoutes(context: StrapiContext): ProjectRoutes {
  addBuiltinMiddlewares(context.registries);
  const host = createHost(context);
  const requestContext = createRequestContext();
  const layer = createHttpLayer({
    host,
    routes: context.registries.routes,
    requestContext,
    needsContext: createNeedsContext(context),
  });
  let server: FastifyInstance | undefined;
  Object.assign(context.strapi, {
    auth: AUTH_SERVICE,
    contentAPI: createContentApi(host),
    requestContext,
    server: createStrapiServer(layer, host.prefix, () => {
      if (server === undefined)
        throw new Error('strapi.server.httpServer is there once the server is created');
      return server;
    }),
  });
  return {
    connect: (fastify) => {
      server = fastify;
      fastify.addHook('onClose', async () => requestContext.close());
    },
    plugins: [createPlugin(context, host, layer)],
    list: () => layer.table().entries.map(describeEntry),
  };
}
