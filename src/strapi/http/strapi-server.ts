import type { FastifyInstance } from 'fastify';
import type Koa from 'koa';
import type { Middleware } from './context.js';
import type { HttpLayer } from './http-layer.js';
import type { RouteInput, RouterInput } from './routes.js';
import { publicRoutes, routesOf } from './routes.js';

type AddRoute = (path: string, ...handlers: readonly Middleware[]) => StrapiRouter;

/** `strapi.server.router`, for routes without permissions outside of the API's prefix. */
type StrapiRouter = Readonly<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'del' | 'all', AddRoute>
> & { readonly use: (...middlewares: readonly Middleware[]) => StrapiRouter };

/** `strapi.server` */
export interface StrapiServer {
  readonly app: Koa;
  readonly router: StrapiRouter;
  /** The application's HTTP server. The listening socket passes requests and upgrades to it. */
  readonly httpServer: FastifyInstance['server'];
  readonly use: (...middlewares: readonly Middleware[]) => StrapiServer;
  readonly routes: (routes: readonly RouteInput[] | RouterInput) => StrapiServer;
  readonly api: (name: string) => Pick<StrapiServer, 'use' | 'routes' | 'listRoutes'>;
  readonly listRoutes: () => readonly { readonly methods: readonly string[]; readonly path: string }[];
}

const METHODS = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  del: 'DELETE',
  all: 'ALL',
};

const isMiddleware = (value: unknown): value is Middleware => typeof value === 'function';

/** The part of the HTTP layer that `strapi.server` uses. */
type ServerLayer = Pick<HttpLayer, 'app' | 'use' | 'addRoutes' | 'routes'>;

const createRouter = (layer: ServerLayer): StrapiRouter => {
  const add =
    (method: string): AddRoute =>
    (path, ...handlers) => {
      const route: RouteInput = { method, path, handler: [...handlers].flat(), config: { auth: false } };
      layer.addRoutes(routesOf([route], {}, { prefix: '', type: 'api' }));
      return router;
    };
  const routes = Object.fromEntries(Object.entries(METHODS).map(([name, method]) => [name, add(method)]));
  const router = {
    ...(routes as Omit<StrapiRouter, 'use'>),
    use: (...middlewares: readonly Middleware[]) => {
      for (const middleware of middlewares.filter(isMiddleware)) layer.use(middleware);
      return router;
    },
  } as StrapiRouter;
  return router;
};

/** Creates `strapi.server`. `fastify` throws until the server is created. */
export function createStrapiServer(
  layer: ServerLayer,
  prefix: string,
  fastify: () => FastifyInstance,
): StrapiServer {
  const listRoutes: StrapiServer['listRoutes'] = () =>
    layer.routes().map(({ method, path }) => ({ methods: [method], path }));
  const server: StrapiServer = {
    get app() {
      return layer.app();
    },
    router: createRouter(layer),
    get httpServer() {
      return fastify().server;
    },
    use: (...middlewares) => {
      for (const middleware of middlewares) layer.use(middleware);
      return server;
    },
    routes: (routes) => {
      const type = 'type' in routes ? (routes.type ?? 'api') : 'api';
      const options = { prefix: type === 'content-api' ? prefix : '', type: type === 'admin' ? 'api' : type };
      const isAdmin = type === 'admin' && 'routes' in routes;
      const served = isAdmin ? { ...routes, routes: publicRoutes(routes) } : routes;
      layer.addRoutes(routesOf(served, {}, options));
      return server;
    },
    api: (name) => ({
      use: server.use,
      routes: (routes) => server.routes({ type: name, routes: 'routes' in routes ? routes.routes : routes }),
      listRoutes,
    }),
    listRoutes,
  };
  return server;
}
