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
  middlewares: restricting(applied('Those of Strapi, too, such as `strapi::ip`.'), list),
  prefix: applied(),
  description: harmless('It is for documentation.'),
  tags: harmless('It is for documentation.'),
  summary: harmless('It is for documentation.'),
  plugin: harmless('Strapi knows it from the place of the file.'),
  roles: harmless('From older versions of Strapi.'),
  ratelimit: restricting(refused('Use the middleware `plugin::users-permissions.rateLimit`.')),
};

/** The `config` of one route in a file of `routes/`. */
export interface RouteConfig {
  /** False: anybody. Otherwise a caller needs every permission of `scope`. */
  readonly auth?: false | { readonly scope?: readonly string[]; readonly strategies?: readonly unknown[] };
  readonly policies?: readonly unknown[];
  readonly middlewares?: readonly unknown[];
  /** If present, with any value, the prefix of the router is not applied. */
  readonly prefix?: unknown;
  readonly description?: string;
}

/** One route of a file in `routes/`. */
export interface RouteInput {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
  readonly config?: RouteConfig;
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

/** One route with the path that clients ask for and the permissions that it needs. */
export interface ProjectRoute {
  /** In capitals; `ALL` stands for every method. */
  readonly method: string;
  /** With all prefixes: `/api/posts/:id`. */
  readonly path: string;
  /** As its file states it, which is what code reads in `ctx.state.route`. */
  readonly statedPath: string;
  readonly handler: unknown;
  readonly config: RouteConfig;
  readonly origin: RouterOrigin;
  /** The type of API, which decides about the ways to sign in: `content-api`, or `api` outside of it. */
  readonly type: string;
}

const isRouter = (value: unknown): value is RouterInput =>
  isRecord(value) && Array.isArray(Reflect.get(value, 'routes'));

/** Returns the router in what a file exports: as it is, or a bare list of routes. */
const toRouter = (value: unknown): RouterInput | null => {
  if (Array.isArray(value)) return { routes: value as readonly RouteInput[] };
  return isRouter(value) ? value : null;
};

const namespaceOf = ({ apiName, pluginName }: RouterOrigin): string | null => {
  if (apiName !== undefined) return `api::${apiName}`;
  return pluginName === undefined ? null : `plugin::${pluginName}`;
};

/** A handler given by name needs the permission of that name, unless the route says otherwise. */
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
      statedPath: route.path,
      handler: route.handler,
      config,
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

/** Strapi reads the folders of APIs and their files in the order of their names, and plugins after them. */
const inOrder = (left: string, right: string): number => {
  const rank = (uid: string): number => (uid.startsWith('api::') ? 0 : 1);
  return rank(left) - rank(right) || byCodePoint(left, right);
};

/** Returns the routes of a router of the admin panel that anybody may call. The others need its users. */
export function openRoutes(router: RouterInput | readonly RouteInput[]): readonly RouteInput[] {
  const routes = 'routes' in router ? router.routes : router;
  return routes.filter(({ config }) => config?.auth === false);
}

/** Plugins answer at `/<plugin>`, and at `/api` only where their router says so. */
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
    : routesOf({ ...placed, routes: openRoutes(router) }, origin, { prefix: '', type: 'api' });
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
