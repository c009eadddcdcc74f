import compose from 'koa-compose';
import { referredName } from '../../config/strapi/config-values.js';
import { createError } from '../../errors/catalogue.js';
import { PolicyError } from '../../errors/project-errors.js';
import { isRecord, propertyOf } from '../../lib/records.js';
import { locateKeys } from '../../config/strapi/load-strapi-config.js';
import type { UnappliedOption } from '../../config/strapi/options/option.js';
import { checkMiddleware } from '../../config/strapi/options/check-options.js';
import { createAuthMiddleware } from './authentication.js';
import type { Context, Middleware, RouteState } from './context.js';
import type { HttpHost } from './http-host.js';
import type { ProjectRoute, RouterOrigin } from './routes.js';

const ALWAYS_IN_FRONT: ReadonlySet<string> = new Set([
  'strapi::ip',
  'strapi::responseTime',
  'strapi::responses',
]);

/** Middlewares before it get requests without a parsed body, as in Strapi. */
const BODY = 'strapi::body';

type MiddlewareFactory = (config: unknown, tools: { readonly strapi: object }) => unknown;

/** An entry of a list of middlewares: a name or file, and its configuration. */
interface MiddlewareEntry {
  readonly name: string;
  readonly config: unknown;
  readonly isFile: boolean;
}

const parseEntry = (entry: unknown): MiddlewareEntry => {
  const { resolve, config = {} } = isRecord(entry) ? entry : {};
  const name = referredName(entry);
  if (name !== undefined) return { name, config, isFile: false };
  if (typeof resolve === 'string') return { name: resolve, config, isFile: true };
  throw createError('project/unknown-middleware', { name: JSON.stringify(entry) });
};

/** Creates a middleware. A factory that returns nothing adds none. */
const instantiate = (factory: unknown, name: string, config: unknown, { strapi }: HttpHost): Middleware => {
  if (typeof factory !== 'function') throw createError('project/unknown-middleware', { name });
  const created = (factory as MiddlewareFactory)(config, { strapi });
  return typeof created === 'function' ? (created as Middleware) : (_context, next) => next();
};

/** Loads a middleware from a file or package for a route. Its first request waits until it is loaded. */
const instantiateFile = ({ name, config }: MiddlewareEntry, host: HttpHost): Middleware => {
  const loading = host.loadModule(name).then((factory) => instantiate(factory, name, config, host));
  loading.catch(() => undefined);
  return async (context, next) => (await loading)(context, next);
};

interface Declaration {
  /** The file that declares a route. */
  readonly file: string;
  /** The keys in the file that lead to the option. */
  readonly keys: readonly string[];
}

/**
 * Warns of options that have no effect.
 *
 * @throws `strapi/unapplied-options` if one of them restricts access
 */
export function assertApplied(
  { root, logger }: HttpHost,
  unapplied: readonly UnappliedOption[],
  { file, keys }: Declaration,
): void {
  const printed = unapplied.map(({ path, reason, isFatal }) => ({
    text: `${locateKeys(root, file, [...keys, ...path])} ${[...keys, ...path].join(' ')} ${reason}`,
    isFatal,
  }));
  const fatal = printed.filter(({ isFatal }) => isFatal).map(({ text }) => text);
  if (fatal.length > 0) throw createError('strapi/unapplied-options', { options: fatal.join('\n') });
  for (const { text } of printed) logger.warn(text);
}

/**
 * Returns the middlewares of a route in a file: functions in Koa's style, names of factories, or files and
 * packages that export one.
 *
 * @throws `project/unknown-middleware`, `strapi/unapplied-options`
 */
function routeMiddlewares(host: HttpHost, entries: readonly unknown[], file: string): readonly Middleware[] {
  return entries.map((each) => {
    if (typeof each === 'function') return each as Middleware;
    const entry = parseEntry(each);
    if (entry.isFile) return instantiateFile(entry, host);
    if (entry.name.startsWith('strapi::'))
      assertApplied(host, checkMiddleware(entry.name, entry.config), { file, keys: [] });
    return instantiate(host.middlewares.get(entry.name), entry.name, entry.config, host);
  });
}

/** True if one of Strapi's middlewares must run around every request. The server replaces most others. */
const runsInFront = ({ name, config }: MiddlewareEntry): boolean =>
  ALWAYS_IN_FRONT.has(name) ||
  (name === 'strapi::cors' && isRecord(config) && typeof config['origin'] === 'function');

/**
 * Returns the project's middlewares in config/middlewares, in their order, with `readBody` at its position,
 * and Strapi's middlewares that inspect each request. The server does the work of the others. Empty if the
 * project has none.
 *
 * @throws `project/unknown-middleware`
 */
export async function globalMiddlewares(
  host: HttpHost,
  entries: readonly unknown[],
  readBody: Middleware,
): Promise<readonly Middleware[]> {
  const found: Middleware[] = [];
  for (const each of entries) {
    if (typeof each === 'function') {
      found.push(each as Middleware);
      continue;
    }
    const entry = parseEntry(each);
    const { name, config, isFile } = entry;
    if (!isFile && name === BODY) found.push(readBody);
    if (!isFile && name.startsWith('strapi::') && !runsInFront(entry)) continue;
    const factory = isFile ? await host.loadModule(name) : host.middlewares.get(name);
    found.push(instantiate(factory, name, config, host));
  }
  return found.every((each) => each === readBody) ? [] : found;
}

type Policy = (context: unknown, config: unknown, tools: { readonly strapi: object }) => unknown;

interface ResolvedPolicy {
  readonly policy: Policy;
  readonly config: unknown;
}

const findPolicy = ({ policies }: HttpHost, name: string, { apiName, pluginName }: RouterOrigin): unknown => {
  const known = policies.get(name);
  if (known !== undefined) return known;
  if (pluginName !== undefined) return policies.get(`plugin::${pluginName}.${name}`);
  return apiName === undefined ? undefined : policies.get(`api::${apiName}.${name}`);
};

/**
 * Returns the function of a policy, which is a function or the result of `createPolicy`. The latter validates
 * its configuration.
 */
const policyFunction = (found: unknown, config: unknown): Policy | undefined => {
  if (typeof found === 'function') return found as Policy;
  if (!isRecord(found)) return undefined;
  const { validator, handler } = found;
  if (typeof validator === 'function') Reflect.apply(validator, found, [config]);
  return typeof handler === 'function' ? (handler as Policy) : undefined;
};

const resolvePolicy = (host: HttpHost, entry: unknown, origin: RouterOrigin): ResolvedPolicy => {
  if (typeof entry === 'function') return { policy: entry as Policy, config: {} };
  const name = referredName(entry);
  const config: unknown = (isRecord(entry) ? entry['config'] : undefined) ?? {};
  const policy = name === undefined ? undefined : policyFunction(findPolicy(host, name, origin), config);
  if (policy === undefined) throw createError('project/unknown-policy', { name: String(name) });
  return { policy, config };
};

/** Returns the context of a policy: the properties of the request's context, and the kind of request. */
const policyContext = (context: Context): unknown =>
  Object.assign({ is: (type: unknown) => type === 'koa', type: 'koa' }, context);

/**
 * Creates the middleware that runs the policies of a route in turn. A policy accepts a request by returning
 * true or nothing.
 *
 * @throws `project/unknown-policy`
 */
function createPoliciesMiddleware(
  host: HttpHost,
  entries: readonly unknown[],
  origin: RouterOrigin,
): Middleware {
  const resolved = entries.map((entry) => resolvePolicy(host, entry, origin));
  const { strapi } = host;
  return async (context, next) => {
    if (resolved.length > 0) {
      const policyArgument = policyContext(context);
      for (const { policy, config } of resolved) {
        const result = await policy(policyArgument, config, { strapi });
        if (result !== true && result !== undefined) throw new PolicyError();
      }
    }
    return next();
  };
}

/** The source in messages about a route that no file declares. */
export const PROJECT_CODE = 'the code of the project';

/** The controller and the action that a handler names. */
interface NamedAction {
  /** `api::article.article` */
  readonly uid: string;
  readonly controller: unknown;
  readonly action: string;
}

const candidates = (name: string, { apiName, pluginName }: RouterOrigin): readonly string[] => [
  ...(pluginName === undefined ? [] : [`plugin::${pluginName}.${name}`]),
  ...(apiName === undefined ? [] : [`api::${apiName}.${name}`]),
  name,
];

/**
 * Finds the action that `article.find` or `api::article.article.find` names. Null if there is no such
 * controller.
 */
export function findAction(host: HttpHost, handler: string, origin: RouterOrigin): NamedAction | null {
  const name = handler.trim();
  const dot = name.lastIndexOf('.');
  const controllerName = name.slice(0, dot);
  for (const uid of candidates(controllerName, origin)) {
    const controller = host.controllers.get(uid);
    if (controller !== undefined) return { uid, controller, action: name.slice(dot + 1) };
  }
  return null;
}

const methodOf = ({ controller, action }: NamedAction): Middleware | undefined => {
  const method = propertyOf(controller, action);
  return typeof method === 'function'
    ? (context, next) => Reflect.apply(method, controller, [context, next])
    : undefined;
};

const handlersOf = (host: HttpHost, { handler, origin }: ProjectRoute): readonly Middleware[] => {
  if (typeof handler === 'function') return [handler as Middleware];
  if (Array.isArray(handler)) return handler as readonly Middleware[];
  const found = findAction(host, String(handler), origin);
  const method = found === null ? undefined : methodOf(found);
  if (method === undefined) throw createError('project/unknown-handler', { name: String(handler) });
  return [method];
};

/** Sets the value that a handler returns as the body, unless the handler has set one. */
const returnBody: Middleware = async (context, next) => {
  const value = (await next()) ?? null;
  if ((context.body ?? null) === null && value !== null) context.body = value;
};

/** Returns a route in Strapi's form. */
export function routeStateOf(route: ProjectRoute): RouteState {
  const { method, declaredPath: path, handler, config, request, origin, type } = route;
  const { apiName, pluginName } = origin;
  const info = {
    ...(apiName === undefined ? {} : { apiName }),
    ...(pluginName === undefined ? {} : { pluginName }),
    type,
  };
  return { method, path, handler, info, config, ...(request === undefined ? {} : { request }) };
}

/** Creates the middleware that sets `state.route`, before the caller is authenticated. */
const exposeRoute = (exposed: ProjectRoute): Middleware => {
  const route = routeStateOf(exposed);
  return (context, next) => {
    context.state.route = route;
    context.request.route = route;
    return next();
  };
};

/**
 * Returns the middlewares before a route's handler: authentication, body, policies and the route's
 * middlewares.
 */
const middlewaresBefore = (
  host: HttpHost,
  route: ProjectRoute,
  readBody: Middleware,
): readonly Middleware[] => {
  const { config, origin } = route;
  return [
    exposeRoute(route),
    createAuthMiddleware(config.auth, host),
    readBody,
    createPoliciesMiddleware(host, config.policies ?? [], origin),
    ...routeMiddlewares(host, config.middlewares ?? [], origin.file ?? PROJECT_CODE),
  ];
};

/**
 * Composes the middlewares and the handler of one route of the project.
 *
 * @throws `project/unknown-handler`, `project/unknown-policy`, `project/unknown-middleware`
 */
export function composeRoute(host: HttpHost, route: ProjectRoute, readBody: Middleware): Middleware {
  return compose([...middlewaresBefore(host, route, readBody), returnBody, ...handlersOf(host, route)]);
}

/** Composes the middlewares before a route that the server handles. */
export function composeRouteMiddlewares(
  host: HttpHost,
  route: ProjectRoute,
  readBody: Middleware,
): Middleware {
  return compose([...middlewaresBefore(host, route, readBody)]);
}
