import { relative } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Koa from 'koa';
import compose from 'koa-compose';
import { NONE_ADDED, passOn as passOnRequest } from '../../api/rest/guard.js';
import { restRoutes } from '../../api/rest/routes/rest-routes.js';
import type { Route } from '../../api/rest/routes/route.js';
import { urlPath } from '../../lib/http.js';
import type { Registry } from '../registry.js';
import type { RequestHandling } from './attach-to-fastify.js';
import { buildEntries } from './build-route-table.js';
import type { PassOnOptions } from './build-route-table.js';
import type { Context, Middleware, RequestContext } from './context.js';
import { Exchange } from './exchange.js';
import type { HttpHost } from './http-host.js';
import { createKoaApp } from './koa-app.js';
import { hasTextBody, isMultipart, readMultipart, readTextBody } from './request-body.js';
import { createRouteTable } from './route-table.js';
import type { RouteMatch, RouteTable } from './route-table.js';
import { registeredRoutes } from './routes.js';
import type { ProjectRoute } from './routes.js';
import { addSessions } from './context.js';

/**
 * True if a route belongs to no content-type of the project. Routes of those are handled by project code
 * only.
 */
const isBuiltin = ({ contentType }: Route): boolean => contentType?.startsWith('api::') !== true;

/** Returns a path that matches a route of Fastify. */
const samplePath = ({ path }: Route): string => path.replaceAll(/:\w+|\*/g, 'a');

/**
 * Returns the built-in routes that routes of the project's APIs replace. Changes by extensions of plugins are
 * not included, since they are intended.
 */
function replacedRoutes(
  { model, prefix }: HttpHost,
  table: RouteTable,
): readonly (readonly [Route, ProjectRoute])[] {
  return restRoutes({ model, prefix, accounts: { mode: 'refresh' } })
    .filter(isBuiltin)
    .flatMap((route) => {
      const match = table.match(route.method, samplePath(route));
      if (match?.treatment.kind !== 'project' || match.route.origin.pluginName !== undefined) return [];
      return [[route, match.route] as const];
    });
}

export interface HttpLayerOptions {
  readonly host: HttpHost;
  readonly routes: Registry;
  readonly requestContext: RequestContext;
  /** True if project code may read the request's context while a route of the server runs. */
  readonly needsContext: (request: FastifyRequest) => boolean;
}

/** The current routes and middlewares of the project. */
export interface HttpLayer extends RequestHandling {
  /** Returns the Koa application, which is loaded at the first call. */
  readonly app: () => Koa;
  /** Adds a middleware around every request. */
  readonly use: (middleware: Middleware) => void;
  /** The middleware that reads bodies. It runs before all others unless it is added among them. */
  readonly readBody: Middleware;
  /** Adds routes after the existing ones. */
  readonly addRoutes: (routes: readonly ProjectRoute[]) => void;
  readonly routes: () => readonly ProjectRoute[];
  readonly table: () => RouteTable;
  /** Discards the table, which is built again at its next use. */
  readonly rebuild: () => void;
}

const EXCHANGE = Symbol('exchange');

/** A context with the exchange of its request. */
interface ExchangeContext extends Context {
  [EXCHANGE]?: Exchange;
}

const exchangeOf = (context: Context): Exchange => {
  const { [EXCHANGE]: exchange }: ExchangeContext = context;
  if (exchange === undefined) throw new Error('The context belongs to no request');
  return exchange;
};

/** Returns the bytes of a body that a middleware has read from the connection, so that Fastify cannot. */
const bytesOf = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

/**
 * Creates the middleware that reads the body of a form, JSON or text. Forms with files are read for routes of
 * the table only.
 */
const createBodyReader =
  ({ bodyLimits, uploadLimit }: HttpHost): Middleware =>
  async (context, next) => {
    const { req, request } = context;
    if (request.body !== undefined) {
      if (req.readableEnded) exchangeOf(context).bytes ??= bytesOf(request.body);
      return next();
    }
    if (hasTextBody(req)) {
      const { bytes, value } = await readTextBody(req, bodyLimits);
      exchangeOf(context).bytes = bytes;
      request.body = value;
    } else if (exchangeOf(context).takesFiles && isMultipart(req)) {
      const { fields, files, remove } = await readMultipart(req, uploadLimit);
      request.body = fields;
      request.files = files;
      try {
        return await next();
      } finally {
        await remove();
      }
    } else if (!isMultipart(req)) request.body = {};
    return next();
  };

const passOn =
  ({ unknownCaller, readAdded, ranCode }: PassOnOptions): Middleware =>
  async (context) => {
    const exchange = exchangeOf(context);
    const caller = unknownCaller === null ? null : (context.state.auth?.caller ?? unknownCaller);
    passOnRequest(exchange.request, {
      caller,
      added: readAdded(context),
      ranCode: ranCode || exchange.isWrapped,
    });
    await exchange.passOn();
  };

const untouched = passOn({ unknownCaller: null, readAdded: () => NONE_ADDED, ranCode: false });

/**
 * Creates the middleware that warns of the first request whose method or path other middlewares have changed.
 * Unlike in Strapi, its route is selected before they run.
 */
const createReroutingWarning = ({ logger }: HttpHost): Middleware => {
  let isReported = false;
  return (context, next) => {
    const { method, path } = context;
    const { method: received, path: requested } = exchangeOf(context).received;
    if (!isReported && (method !== received || path !== requested)) {
      isReported = true;
      logger.warn(
        `A middleware has changed ${received} ${requested} to ${method} ${path}, which has no effect: ` +
          'the route is selected before. Declare a route with the path and the handler instead',
      );
    }
    return next();
  };
};

/** Responds to requests without a route: 405 if the path has other methods, else 404. */
const refuseRequest =
  (table: RouteTable): Middleware =>
  (context) => {
    const methods = table.methodsOf(context.path);
    if (methods.length === 0) return context.notFound();
    context.set('Allow', methods.join(', '));
    context.status = 405;
    context.body = 'Method Not Allowed';
    return undefined;
  };

/** Runs the handler of a matching route. If it calls `next`, the next matching route runs. */
const runMatch = (table: RouteTable, { route, params, treatment, nextMatch }: RouteMatch): Middleware => {
  if (treatment.kind === 'excluded') return refuseRequest(table);
  const run = treatment.kind === 'project' ? treatment.run : treatment.middleware;
  if (run === null) return untouched;
  return (context, next) => {
    context.params = { ...params };
    context.request.params = context.params;
    context.routerPath = route.path;
    return run(context, async () => {
      const match = nextMatch();
      return match === null ? next() : runMatch(table, match)(context, next);
    });
  };
};

/** Returns the handler of a request, `untouched` if no project code handles it. */
const selectHandler = (table: RouteTable, request: FastifyRequest, match: RouteMatch | null): Middleware => {
  if (match !== null) return runMatch(table, match);
  return request.is404 && table.methodsOf(urlPath(request.url)).length > 0 ? refuseRequest(table) : untouched;
};

const endOfChain = async (): Promise<void> => undefined;

/** Describes a route in messages: `GET /api/tags/late of src/api/tag/routes/late.ts`. */
const describe = ({ root }: HttpHost, { method, path, origin }: ProjectRoute): string =>
  `${method} ${path} of ${origin.file === undefined ? 'the core' : relative(root, origin.file)}`;

const warnAboutRoutes = (host: HttpHost, table: RouteTable): void => {
  for (const [earlier, shadowed] of table.shadowed())
    if (earlier.origin.file !== shadowed.origin.file)
      host.logger.warn(
        `${describe(host, shadowed)} is never reached: ` +
          `${describe(host, earlier)} comes before it and matches the same requests`,
      );
  for (const [builtin, replacing] of replacedRoutes(host, table))
    host.logger.warn(`${describe(host, replacing)} replaces the built-in ${builtin.method} ${builtin.path}`);
};

interface KoaParts {
  readonly app: Koa;
  /** Writes the session's cookie. Runs before all other middlewares. */
  readonly sessions: Middleware;
}

/** Loads Koa at the first use, since most projects have no code that needs it. */
const createLazyApp = (
  { keys, isProxied, logger, session }: HttpHost,
  middlewares: Middleware[],
): (() => KoaParts) => {
  const create = (): KoaParts => {
    const app = createKoaApp({ keys, isProxied, logger });
    const sessions = addSessions(app, session);
    app.use = ((middleware: Middleware) => {
      middlewares.push(middleware);
      return app;
    }) as unknown as Koa['use'];
    // Some code reorders the list to put a middleware first.
    Object.defineProperty(app, 'middleware', {
      get: () => middlewares,
      set: (changed: readonly Middleware[]) => {
        middlewares.splice(0, Infinity, ...changed);
      },
    });
    return { app, sessions };
  };
  let known: KoaParts | undefined;
  return () => (known ??= create());
};

/** Holds the routes of the project, and builds their table at the first use. */
const createRoutes = (host: HttpHost, routes: Registry, readBody: Middleware) => {
  const added: ProjectRoute[] = [];
  let known: RouteTable | null = null;
  const all = (): readonly ProjectRoute[] => [...added, ...registeredRoutes(routes, host.prefix)];
  const buildTable = (): RouteTable => {
    const table = createRouteTable(
      buildEntries(host, all(), {
        readBody,
        passOn,
        onProblem: (route, error) =>
          host.logger.warn(`${describe(host, route)} cannot be served: ${(error as Error).message}`),
      }),
    );
    warnAboutRoutes(host, table);
    return table;
  };
  const rebuild = (): void => {
    known = null;
  };
  return {
    all,
    add: (more: readonly ProjectRoute[]): void => {
      added.push(...more);
      rebuild();
    },
    rebuild,
    table: (): RouteTable => (known ??= buildTable()),
  };
};

/** Creates the layer that runs the project's middlewares and routes before those of the server. */
export function createHttpLayer(options: HttpLayerOptions): HttpLayer {
  const { host, requestContext, needsContext } = options;
  const middlewares: Middleware[] = [];
  const koa = createLazyApp(host, middlewares);
  const readBody = createBodyReader(host);
  const warnOfRerouting = createReroutingWarning(host);
  const { all, add, table, rebuild } = createRoutes(host, options.routes, readBody);
  const createContext = (request: FastifyRequest, reply: FastifyReply): Context => {
    const context = koa().app.createContext(request.raw, reply.raw) as unknown as Context;
    context.request.ip = request.ip;
    return context;
  };
  return {
    app: () => koa().app,
    use: (middleware) => void middlewares.push(middleware),
    readBody,
    addRoutes: add,
    routes: all,
    table,
    rebuild,
    within: (request, reply, proceed) => {
      if (!needsContext(request)) proceed();
      else requestContext.run(() => createContext(request, reply), proceed);
    },
    open: (request, reply, proceed) => {
      const match = table().match(request.method, urlPath(request.url));
      const last = selectHandler(table(), request, match);
      if (last === untouched && middlewares.length === 0) return null;
      const context = createContext(request, reply);
      const params = match?.params ?? null;
      const isWrapped = middlewares.length > 0;
      const exchange = new Exchange(context, { request, reply, proceed, params, isWrapped, last });
      Object.assign(context, { [EXCHANGE]: exchange });
      return exchange;
    },
    start: (exchange) => {
      const { context, last } = exchange;
      const readsBody = middlewares.length > 0 && !middlewares.includes(readBody);
      const first = [koa().sessions, ...(readsBody ? [readBody] : [])];
      const run = compose([...first, ...middlewares, warnOfRerouting, last]);
      requestContext.run(context, () => exchange.start(async () => run(context, endOfChain)));
    },
  };
}
