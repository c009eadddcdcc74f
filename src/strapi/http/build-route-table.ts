import { checkSection } from '../../config/strapi/options/option.js';
import type { Caller } from '../../access/access.js';
import type { AddedValues } from '../../api/rest/guard.js';
import type { ContentType } from '../../model/model.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { NotImplementedError } from '../../errors/project-errors.js';
import { readAddedValues } from './content-params.js';
import type { Context, Middleware } from './context.js';
import { compilePath } from './route-table.js';
import { isCoreMethod, coreRoutes } from './factories/core.js';
import {
  PROJECT_CODE,
  composeRouteMiddlewares,
  composeRoute,
  findAction,
  routeStateOf,
  assertApplied,
} from './compose-route.js';
import { HELPER_NAMES } from './factories/core-controller.js';
import type { HttpHost } from './http-host.js';
import { ROUTE_OPTIONS } from './routes.js';
import type { TableEntry, Treatment } from './route-table.js';
import type { ProjectRoute } from './routes.js';

/** A request that is passed on to the server's route. */
export interface PassOnOptions {
  /** The caller of a route without permission. Null: the server's route authenticates. */
  readonly unknownCaller: Caller | null;
  /** Returns the values for the parameters that code has added to the route. */
  readonly readAdded: (context: Context) => AddedValues;
  /** True if middlewares or policies of the route ran. */
  readonly ranCode: boolean;
}

export interface TableOptions {
  /** Reads the body of a request, with its files. */
  readonly readBody: Middleware;
  /** Passes the request on to the server's route. */
  readonly passOn: (options: PassOnOptions) => Middleware;
  /** Called for a route that cannot be served, because something that it names does not exist. */
  readonly onProblem: (route: ProjectRoute, error: unknown) => void;
}

/** A core action that a route names, at its default path. */
interface CoreAction {
  readonly type: ContentType;
  readonly action: string;
}

/** True if the project replaces neither the controller's nor the service's method of an action. */
const usesCoreOnly = ({ controllers, services }: HttpHost, { type, action }: CoreAction): boolean => {
  const controller = controllers.get(type.uid);
  if (controller !== undefined && ![action, ...HELPER_NAMES].every((name) => isCoreMethod(controller, name)))
    return false;
  const service = services.get(type.uid);
  const method = type.kind === 'singleType' && action === 'update' ? 'createOrUpdate' : action;
  return service === undefined || [method, 'getFetchParams'].every((name) => isCoreMethod(service, name));
};

const coreActionOf = (host: HttpHost, { handler, method, path, origin }: ProjectRoute): CoreAction | null => {
  if (typeof handler !== 'string') return null;
  const found = findAction(host, handler, origin);
  const name = handler.trim();
  const uid = found?.uid ?? name.slice(0, name.lastIndexOf('.'));
  const type = host.model.types.find((each) => each.uid === uid && each.origin === 'project');
  const action = name.slice(name.lastIndexOf('.') + 1);
  const core = type && coreRoutes(type).find((each) => each.action === action);
  if (type === undefined || core === undefined) return null;
  return core.method === method && `${host.prefix}${core.path}` === path ? { type, action } : null;
};

const needsMiddlewares = ({ config, handler }: ProjectRoute): boolean => {
  const { auth, policies = [], middlewares = [] } = config;
  const isDefault =
    auth === undefined ||
    (auth !== false &&
      auth.strategies === undefined &&
      auth.scope?.length === 1 &&
      auth.scope[0]?.endsWith(String(handler)) === true);
  return !isDefault || policies.length > 0 || middlewares.length > 0;
};

/** Returns the caller of a route without permission: it may read documents of the type, not related ones. */
const unknownCaller = ({ type, action }: CoreAction): Caller => ({
  kind: 'anonymous',
  grants: { kind: 'actions', actions: new Set([`${type.uid}.${action}`]), rules: new Map() },
});

const coreTreatment = (
  host: HttpHost,
  route: ProjectRoute,
  core: CoreAction,
  { readBody, passOn }: TableOptions,
): Treatment => {
  const params = host.contentParams.of(routeStateOf(route));
  const hasParams = params.query.size > 0 || params.input.size > 0;
  const ranCode = needsMiddlewares(route);
  if (!ranCode && !hasParams) return { kind: 'core', middleware: null };
  const middleware = composeRouteMiddlewares(host, route, readBody);
  const go = passOn({
    unknownCaller: unknownCaller(core),
    readAdded: (context) => readAddedValues(params, context, host.strictParams),
    ranCode,
  });
  return { kind: 'core', middleware: (context, next) => middleware(context, async () => go(context, next)) };
};

/** Warns of route options without effect. Throws if one of them restricts access. */
const checkConfig = (host: HttpHost, { config, origin, declaredPath }: ProjectRoute): void => {
  const file = origin.file ?? PROJECT_CODE;
  assertApplied(host, checkSection(ROUTE_OPTIONS, { ...config }), { file, keys: [declaredPath] });
};

const treatmentOf = (host: HttpHost, route: ProjectRoute, options: TableOptions): Treatment => {
  try {
    checkConfig(host, route);
    const core = coreActionOf(host, route);
    if (core !== null && usesCoreOnly(host, core)) return coreTreatment(host, route, core, options);
    return { kind: 'project', run: composeRoute(host, route, options.readBody) };
  } catch (error) {
    // An option that restricts access must not be ignored.
    if (isGalleyError(error) && error.code === 'strapi/unapplied-options') throw error;
    options.onProblem(route, error);
    return {
      kind: 'project',
      run: () => {
        throw new NotImplementedError();
      },
    };
  }
};

const apiNameOf = (uid: string): string => uid.slice('api::'.length, uid.indexOf('.'));

const defaultRoute = (host: HttpHost, type: ContentType, action: string): ProjectRoute => {
  const core = coreRoutes(type).find((each) => each.action === action);
  const handler = `${type.uid}.${action}`;
  return {
    method: core?.method ?? 'GET',
    path: `${host.prefix}${core?.path ?? ''}`,
    declaredPath: core?.path ?? '',
    handler,
    config: { auth: { scope: [handler] } },
    origin: { apiName: apiNameOf(type.uid) },
    type: 'content-api',
  };
};

/** Returns core routes that no file of a type's API declares. They are excluded if the API has such files. */
const missingRoutes = (
  host: HttpHost,
  type: ContentType,
  declared: readonly ProjectRoute[],
  options: TableOptions,
): readonly TableEntry[] => {
  const hasFiles = declared.some(({ origin }) => origin.apiName === apiNameOf(type.uid));
  return coreRoutes(type)
    .filter(
      ({ method, path }) =>
        !declared.some((route) => route.method === method && route.path === `${host.prefix}${path}`),
    )
    .map(({ action }) => {
      const route = defaultRoute(host, type, action);
      return { route, treatment: hasFiles ? { kind: 'excluded' } : treatmentOf(host, route, options) };
    });
};

const isUntouched = (treatment: Treatment | undefined): boolean =>
  treatment?.kind === 'core' && treatment.middleware === null;

const entryOf = (
  host: HttpHost,
  type: ContentType,
  entries: readonly TableEntry[],
  action: string,
): TableEntry | undefined => {
  const { method, path } = defaultRoute(host, type, action);
  return entries.find(({ route }) => route.method === method && route.path === path);
};

/** A method, and what follows the path of a document. */
type Endpoint = readonly [method: string, suffix: string];

/** Galley's endpoints for a document of a type with drafts. */
const DRAFT_ENDPOINTS: readonly Endpoint[] = [
  ['GET', '/schedule'],
  ['PUT', '/schedule'],
  ['GET', '/versions'],
  ['GET', '/versions/:version'],
  ['POST', '/versions/:version/restore'],
];

/** Galley's endpoint that copies a document of a localized type to another locale. */
const LOCALE_ENDPOINT: Endpoint = ['POST', ''];

/**
 * Returns the entries of Galley's endpoints that extend `update`. The middlewares and policies of `update`
 * also run for them, and they are excluded if the project replaces or excludes `update`.
 */
const updateEntries = (
  host: HttpHost,
  type: ContentType,
  entries: readonly TableEntry[],
): readonly TableEntry[] => {
  const update = entryOf(host, type, entries, 'update');
  const route = defaultRoute(host, type, 'update');
  const endpoints = [
    ...(type.localized ? [LOCALE_ENDPOINT] : []),
    ...(type.draftAndPublish ? DRAFT_ENDPOINTS : []),
  ];
  return endpoints.map(([method, suffix]) => ({
    route: { ...(update?.route ?? route), method, path: `${route.path}${suffix}` },
    treatment: update?.treatment.kind === 'core' ? update.treatment : { kind: 'excluded' },
  }));
};

/** The entries of Galley's additional endpoints of a type. */
interface GalleyEntries {
  readonly aggregate: TableEntry;
  readonly bulk: TableEntry;
}

/**
 * Returns the entries for aggregates and bulk writes. The middlewares and policies of `find` also run for
 * aggregates, which are excluded if the project replaces or excludes `find`. Bulk writes are excluded unless
 * `create`, `update` and `delete` are all untouched.
 */
const galleyEntries = (host: HttpHost, type: ContentType, entries: readonly TableEntry[]): GalleyEntries => {
  const find = entryOf(host, type, entries, 'find');
  const isBulk = ['create', 'update', 'delete'].every((action) =>
    isUntouched(entryOf(host, type, entries, action)?.treatment),
  );
  const route = defaultRoute(host, type, 'find');
  return {
    aggregate: {
      route: { ...(find?.route ?? route), path: `${route.path}/aggregate` },
      treatment: find?.treatment.kind === 'core' ? find.treatment : { kind: 'excluded' },
    },
    bulk: {
      route: { ...route, method: 'POST', path: `${route.path}/bulk` },
      treatment: isBulk ? { kind: 'core', middleware: null } : { kind: 'excluded' },
    },
  };
};

/**
 * Adds the entries of Galley's endpoints. Aggregates come before the single document, whose path would match
 * theirs.
 */
const withGalleyEndpoints = (
  host: HttpHost,
  entries: readonly TableEntry[],
  type: ContentType,
): readonly TableEntry[] => {
  const ofUpdate = updateEntries(host, type, entries);
  if (type.kind === 'singleType') return [...entries, ...ofUpdate];
  const { aggregate, bulk } = galleyEntries(host, type, entries);
  const { method, path } = defaultRoute(host, type, 'findOne');
  const index = entries.findIndex(({ route }) => route.method === method && route.path === path);
  return [...entries.slice(0, index), aggregate, ...entries.slice(index), bulk, ...ofUpdate];
};

const hasValidPath = (route: ProjectRoute, { onProblem }: TableOptions): boolean => {
  try {
    compilePath(route.path);
    return true;
  } catch (error) {
    onProblem(route, error);
    return false;
  }
};

/**
 * Returns the entries of all routes: those of the project in their order, core routes that no file declares,
 * and Galley's additional endpoints.
 */
export function buildEntries(
  host: HttpHost,
  routes: readonly ProjectRoute[],
  options: TableOptions,
): readonly TableEntry[] {
  const types = host.model.types.filter(({ origin }) => origin === 'project');
  const valid = routes.filter((route) => hasValidPath(route, options));
  const declared = valid.map((route) => ({ route, treatment: treatmentOf(host, route, options) }));
  const missing = types.flatMap((type) => missingRoutes(host, type, routes, options));
  let entries: readonly TableEntry[] = [...declared, ...missing];
  for (const type of types) entries = withGalleyEndpoints(host, entries, type);
  return entries;
}
