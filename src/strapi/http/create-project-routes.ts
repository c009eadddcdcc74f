/**
 * Runs routes, controllers, policies and middlewares in Koa's style. Start at {@link createProjectRoutes}.
 * http-layer.ts chooses the handler of each request; exchange.ts passes a request through Koa's middlewares
 * and Fastify.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { send } from '@fastify/send';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { identityOf } from '../../access/access.js';
import { listsMiddleware, middlewareConfig } from '../../config/strapi/config-values.js';
import type { Actor } from '../../documents/log/actors.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { MEGABYTE, DAY_MS, MINUTE_MS } from '../../lib/units.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import { concealPrivate } from '../../query/schema-fields.js';
import { createCodeFinder } from '../code/project-code.js';
import type { StrapiContext } from '../strapi.js';
import { attachToFastify } from './attach-to-fastify.js';
import { AUTH_SERVICE } from './authentication.js';
import { addBuiltinMiddlewares } from './builtin-middlewares.js';
import { createContentApi } from './content-api.js';
import { createContentParams } from './content-params.js';
import { createRequestContext, sessionSettings } from './context.js';
import type { Context } from './context.js';
import type { HttpHost } from './http-host.js';
import { createHttpLayer } from './http-layer.js';
import type { HttpLayer } from './http-layer.js';
import { globalMiddlewares } from './compose-route.js';
import { bodyLimits } from './request-body.js';
import { describeEntry } from './route-table.js';
import type { ListedRoute } from './route-table.js';
import { createStrapiServer } from './strapi-server.js';

/** Files that are sent for requests without a route. */
interface PublicFiles {
  /** Returns the folder of a file and its path in it. Null if no file is sent for the path. */
  readonly find: (path: string) => { readonly root: string; readonly path: string } | null;
  /** Milliseconds. */
  readonly maxAge: number;
}

/** Files of the media library have another route. */
const UPLOADS = /^\/uploads(?:\/|$)/;

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** `strapi::public`: the files of public/. */
const publicFolder = (root: string, middlewares: readonly unknown[]): PublicFiles => ({
  find: (path) => (UPLOADS.test(path) ? null : { root: join(root, 'public'), path }),
  maxAge: numberOr(middlewareConfig(middlewares, 'strapi::public')['maxAge'], MINUTE_MS),
});

/** `strapi::favicon`: an icon in the folder of the project, at `path` or a default name. */
const favicon = (root: string, middlewares: readonly unknown[]): PublicFiles => {
  const { path: configured, maxAge } = middlewareConfig(middlewares, 'strapi::favicon');
  const names = [...(typeof configured === 'string' ? [configured] : []), 'favicon.png', 'favicon.ico'];
  const name = names.find((each) => existsSync(resolve(root, each)));
  return {
    find: (path) =>
      path === '/favicon.ico' && name !== undefined ? { root, path: `/${name.replace(/^\.?\//, '')}` } : null,
    maxAge: numberOr(maxAge, DAY_MS),
  };
};

const requestPath = ({ url }: FastifyRequest): string => url.replace(/[?#].*$/s, '');

/** Sends the first file found. Ignores hidden files and paths outside of the folder. */
const sendFirst = async (
  request: FastifyRequest,
  reply: FastifyReply,
  files: readonly PublicFiles[],
): Promise<boolean> => {
  for (const { find, maxAge } of files) {
    const file = find(requestPath(request));
    if (file === null) continue;
    const result = await send(request.raw, file.path, {
      root: file.root,
      maxAge,
      index: false,
      dotfiles: 'ignore',
    });
    const isSent = result.type === 'file' || result.statusCode === 304 || result.statusCode === 416;
    if (!isSent) {
      result.stream.destroy();
      continue;
    }
    void reply.code(result.statusCode).headers(result.headers).send(result.stream);
    return true;
  }
  return false;
};

const sendFileOrContinue = async (
  request: FastifyRequest,
  reply: FastifyReply,
  files: readonly PublicFiles[],
  proceed: (error?: Error) => void,
): Promise<void> => {
  let isSent: boolean;
  try {
    isSent = await sendFirst(request, reply, files);
  } catch (error) {
    proceed(error as Error);
    return;
  }
  if (!isSent) proceed();
};

/** Sends the files of public/ and the icon if config/middlewares lists their middlewares, as in Strapi. */
function servePublicFiles(fastify: FastifyInstance, root: string, middlewares: readonly unknown[]): void {
  const files = [
    ...(listsMiddleware(middlewares, 'strapi::favicon') ? [favicon(root, middlewares)] : []),
    ...(listsMiddleware(middlewares, 'strapi::public') ? [publicFolder(root, middlewares)] : []),
  ];
  if (files.length === 0) return;
  const serve: onRequestHookHandler = (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!request.is404 || !isRead) done();
    else void sendFileOrContinue(request, reply, files, done);
  };
  fastify.addHook('onRequest', serve);
}

/** The maximum size of forms with files, which are read into memory. */
const MAX_FORM_BYTES = 100 * MEGABYTE;

const defaultExport = (loaded: unknown): unknown =>
  isRecord(loaded) && 'default' in loaded ? loaded['default'] : loaded;

/**
 * Creates the function that loads a package installed in the project, or a file of the project. It throws
 * synchronously if there is none.
 */
const createModuleLoader = (
  root: string,
  load: (file: string) => Promise<unknown>,
): HttpHost['loadModule'] => {
  const projectRequire = createRequire(join(root, 'package.json'));
  const { findModule } = createCodeFinder(root);
  const find = (path: string): string => {
    try {
      return projectRequire.resolve(path);
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

const projectMiddlewares = ({ configuration }: StrapiContext): readonly unknown[] => {
  const entries: unknown = configuration.get('middlewares');
  return Array.isArray(entries) ? entries : [];
};

const createHost = (context: StrapiContext): HttpHost => {
  const { root, config, model, access, log, registries, configuration, loader } = context;
  const { prefix, maxBulk: _maxBulk, strictParams, ...limits } = config.api.rest;
  const keys: unknown = configuration.get('server.app.keys');
  return {
    root,
    strapi: context.strapi,
    model,
    access,
    logger: log,
    prefix,
    limits,
    strictParams,
    contentParams: createContentParams(() => context.strapi.utils['z']),
    isProxied: config.server.proxy !== false,
    bodyLimits: bodyLimits(projectMiddlewares(context), config.server.bodyLimit),
    uploadLimit: Math.min(config.upload.sizeLimit * config.upload.maxFiles, MAX_FORM_BYTES),
    session: sessionSettings(projectMiddlewares(context)),
    keys: Array.isArray(keys) ? keys.map(String) : undefined,
    ...registries,
    loadUser: async (id) => {
      const user: unknown = await context.strapi.db
        .query(USER_UID)
        .findOne({ where: { id }, populate: ['role'] });
      if (isRecord(user)) concealPrivate(typeOf(model, USER_UID), user);
      return user;
    },
    loadModule: createModuleLoader(root, loader.load),
  };
};

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns a function that is true if code of the project may run in a request: in writes, and in reads that
 * middlewares wrap.
 */
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
  /** Connects project code to the application, before any of it runs. */
  readonly connect: (fastify: FastifyInstance) => void;
  readonly plugins: readonly FastifyPluginAsync[];
  /** Lists the routes with their handling by the server. */
  readonly list: () => readonly ListedRoute[];
}

/** Returns the actor of a request that project code handles. */
const actorOf = ({ access }: StrapiContext, request: Context | undefined): Actor | null =>
  request === undefined
    ? null
    : {
        ...identityOf(access, request.state.auth?.caller ?? null),
        via: 'rest',
        source: null,
        address: request.request.ip,
      };

/** Creates the routes of a project, and adds the properties about HTTP to `strapi`. */
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
  context.accounts.log?.actors.follow(() => actorOf(context, requestContext.get()));
  let server: FastifyInstance | undefined;
  Object.assign(context.strapi, {
    auth: AUTH_SERVICE,
    contentAPI: createContentApi({ ...host, onParamsAdded: layer.rebuild }),
    requestContext,
    server: createStrapiServer(layer, host.prefix, () => {
      if (server === undefined)
        throw new Error('strapi.server.httpServer is available once the server is created');
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
