import * as v from 'valibot';
import { createCheck } from '../../config/checks.js';
import { applied, harmless, refused, restricting } from '../../config/strapi/options/option.js';
import type { StrapiOptions } from '../../config/strapi/options/option.js';
import { byCodePoint } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import type { Registry } from '../registry.js';

const list = createCheck('a list', v.array(v.unknown()));

/** The keys of `config` of a route. */
export const ROUTE_OPTIONS: StrapiOptions = {
  auth: restricting(applied('False, or `scope` and `strategies`.')),
  'auth.scope': restricting(applied()),
  'auth.strategies': restricting(applied()),
  policies: restricting(applied('Also for GraphQL, see `resolversConfig`.'), list),
  policy: restricting(refused('The option is called `policies`.')),
  middlewares: restricting(applied('Including those of Strapi, such as `strapi::ip`.'), list),
  prefix: applied(),
  description: harmless('It is for documentation.'),
  tags: harmless('It is for documentation.'),
  summary: harmless('It is for documentation.'),
  plugin: harmless('Strapi derives it from the path of the file.'),
  roles: harmless('From older versions of Strapi.'),
  ratelimit: restricting(refused('Use the middleware `plugin::users-permissions.rateLimit`.')),
};

/** The `config` of one route in a file of `routes/`. */
export interface RouteConfig {
  /** False: no permission is needed. Otherwise, a caller needs every permission of `scope`. */
  readonly auth?: false | { readonly scope?: readonly string[]; readonly strategies?: readonly unknown[] };
  readonly policies?: readonly unknown[];
  readonly middlewares?: readonly unknown[];
  /** If present with any value, the prefix of the router is not applied. */
  readonly prefix?: unknown;
  readonly description?: string;
}

/** One route of a file in `routes/`. */
export interface RouteInput {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
  readonly config?: RouteConfig;
  /** The schemas of its parameters: `{ query: { search: z.string() } }`. */
  readonly request?: unknown;
}

/** The export of a file in `routes/`, instantiated. */
export interface RouterInput {
  readonly type?: string;
  readonly prefix?: string;
  readonly routes: readonly RouteInput[];
}

/** The origin of a router: an API or a plugin of the project, or a call of `strapi.server.routes`. */
export interface RouterOrigin {
  readonly apiName?: string;
  readonly pluginName?: string;
  /** Relative to the project, for messages. */
  readonly file?: string;
}

/** One route with its full path and its required permissions. */
export interface ProjectRoute {
  /** In upper case. `ALL` matches every method. */
  readonly method: string;
  /** With all prefixes: `/api/posts/:id`. */
  readonly path: string;
  /** The path as declared in its file, which code reads in `ctx.state.route`. */
  readonly declaredPath: string;
  readonly handler: unknown;
  readonly config: RouteConfig;
  readonly request?: unknown;
  readonly origin: RouterOrigin;
  /** The type of the API, which determines the ways to authenticate: `content-api`, or `api` for others. */
  readonly type: string;
}

const isRouter = (value: unknown): value is RouterInput =>
  isRecord(value) && Array.isArray(Reflect.get(value, 'routes'));

/** Returns the router that a file exports, directly or as a list of routes. Null if there is none. */
const toRouter = (value: unknown): RouterInput | null => {
  if (Array.isArray(value)) return { routes: value as readonly RouteInput[] };
  return isRouter(value) ? value : null;
};

const namespaceOf = ({ apiName, pluginName }: RouterOrigin): string | null => {
  if (apiName !== undefined) return `api::${apiName}`;
  return pluginName === undefined ? null : `plugin::${pluginName}`;
};

/** Adds the permission named like the handler, unless the route configures `auth`. */
const withDefaultScope = ({ handler, config = {} }: RouteInput, origin: RouterOrigin): RouteConfig => {
  const namespace = namespaceOf(origin);
  const { auth } = config;
  if (typeof handler !== 'string' || namespace === null || auth === false) return config;
  if (isRecord(auth) && auth['scope'] !== undefined) return config;
  const name = handler.trim();
  const scope = name.startsWith(`${namespace}.`) ? name : `${namespace}.${name}`;
  return { ...config, auth: { ...auth, scope: [scope] } };
};

const joinPath = (...parts: readonly (string | undefined)[]): string =>
  parts
    .map((part) => (part ?? '').trim())
    .filter((part) => part !== '' && part !== '/')
    .join('') || '/';

/** Returns the routes of one router. `prefix` is that of the whole API. */
export function routesOf(
  value: unknown,
  origin: RouterOrigin,
  { prefix, type }: { readonly prefix: string; readonly type: string },
): readonly ProjectRoute[] {
  const router = toRouter(value);
  if (router === null) return [];
  return router.routes.map((route) => {
    const config = withDefaultScope(route, origin);
    const routerPrefix = Object.hasOwn(config, 'prefix') ? undefined : router.prefix;
    return {
      method: route.method.trim().toUpperCase(),
      path: joinPath(prefix, routerPrefix, route.path),
      declaredPath: route.path,
      handler: route.handler,
      config,
      ...(route.request === undefined ? {} : { request: route.request }),
      origin,
      type,
    };
  });
}

const originOf = (uid: string, file: string | undefined): RouterOrigin => {
  const [, kind, name] = /^(api|plugin)::([^.]+)/.exec(uid) ?? [];
  return {
    ...(kind === 'api' && name !== undefined ? { apiName: name } : {}),
    ...(kind === 'plugin' && name !== undefined ? { pluginName: name } : {}),
    ...(file === undefined ? {} : { file }),
  };
};

/** Compares routers in Strapi's order: those of APIs by name, then those of plugins. */
const inOrder = (left: string, right: string): number => {
  const rank = (uid: string): number => (uid.startsWith('api::') ? 0 : 1);
  return rank(left) - rank(right) || byCodePoint(left, right);
};

/** Returns the routes of an admin router without authentication. The others need users of the admin panel. */
export function publicRoutes(router: RouterInput | readonly RouteInput[]): readonly RouteInput[] {
  const routes = 'routes' in router ? router.routes : router;
  return routes.filter(({ config }) => config?.auth === false);
}

/**
 * Returns the routes of a plugin: at `/<plugin>`, or below the prefix of the API if its router has the type
 * `content-api`.
 */
const pluginRoutes = (
  value: unknown,
  origin: RouterOrigin & { readonly pluginName: string },
  prefix: string,
): readonly ProjectRoute[] => {
  const router = toRouter(value);
  if (router === null) return [];
  const placed = { prefix: `/${origin.pluginName}`, ...router };
  return router.type === 'content-api'
    ? routesOf({ ...placed, routes: router.routes }, origin, { prefix, type: 'content-api' })
    : routesOf({ ...placed, routes: publicRoutes(router) }, origin, { prefix: '', type: 'api' });
};

/** Returns the routes of all files in `routes/`, in the order in which they are tried. */
export function registeredRoutes(routes: Registry, prefix: string): readonly ProjectRoute[] {
  return routes
    .keys()
    .toSorted(inOrder)
    .flatMap((uid) => {
      const origin = originOf(uid, routes.sourceOf(uid)?.file);
      const { pluginName } = origin;
      const value = routes.get(uid);
      return pluginName === undefined
        ? routesOf(value, origin, { prefix, type: 'content-api' })
        : pluginRoutes(value, { ...origin, pluginName }, prefix);
    });
}
