import type { AccessContext, TokenRecord } from '../../access/access.js';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import type { RolePermissions } from '../../access/permissions/role-permissions.js';
import { listTokens } from '../../access/tokens.js';
import type { Project } from '../../project/open/open-project.js';
import { accountSettings } from '../../config/account-settings.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import { defined } from '../../lib/assert.js';
import { withoutLastSegment } from '../../lib/ids.js';
import { restRoutes } from '../../api/rest/routes/rest-routes.js';
import { guardedActions } from '../../api/rest/routes/route.js';
import type { Route } from '../../api/rest/routes/route.js';
import { READ_ACTIONS } from '../../query/read-access.js';
import { listStrapiRoutes } from '../../strapi/list-routes.js';
import type { ListedRoute } from '../../strapi/http/route-table.js';
import { withAccess } from '../../project/open/open-database.js';

export interface RouteSummary {
  readonly method: string;
  readonly path: string;
  /** The action a caller needs: `api::article.article.find`. `|` separates alternatives. Null if public. */
  readonly action: string | null;
  /** The types of the roles with the action. */
  readonly roles: readonly string[];
  /** The names of the unexpired tokens that can call the route. */
  readonly tokens: readonly string[];
  /** The file of the project or of a plugin that declares the route. Null for built-in routes. */
  readonly source: string | null;
  /** The names of the policies that check requests. */
  readonly policies: readonly string[];
  readonly middlewares: readonly string[];
}

export interface Callers {
  readonly roles: readonly RolePermissions[];
  readonly tokens: readonly TokenRecord[];
}

/** Loads roles with their permissions, and tokens. */
const readCallers = async (access: AccessContext): Promise<Callers> => ({
  roles: await listPermissions(access),
  tokens: await listTokens(access),
});

/** Loads all callers, and the type of one role. Throws `access/unknown-role`. */
export async function loadCallersAndRole(
  project: Project,
  name: string,
): Promise<{ readonly callers: Callers; readonly role: string }> {
  return withAccess(project, async (access) => {
    const [found] = await listPermissions(access, name);
    return { callers: await readCallers(access), role: defined(found, 'the role').role.type };
  });
}

/**
 * Loads roles with their permissions, and tokens. Returns none, with a warning, if the database is
 * unreachable or has pending migrations.
 */
export async function loadCallers(project: Project, warn: (text: string) => void): Promise<Callers> {
  try {
    return await withAccess(project, readCallers);
  } catch (error) {
    if (
      !isGalleyError(error) ||
      (error.code !== 'project/pending-migrations' && error.code !== 'database/unreachable')
    )
      throw error;
    const reason = [error.message, ...(error.hint === undefined ? [] : [error.hint])].join(' ');
    warn(`Roles and tokens are omitted, since the database cannot be read. ${reason}`);
    return { roles: [], tokens: [] };
  }
}

const isAllowed = ({ type, permissions, expiresAt }: TokenRecord, action: string, now: number): boolean => {
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return false;
  if (type === 'custom' || type === 'preview') return permissions.includes(action);
  return type === 'full-access' || READ_ACTIONS.has(action.slice(action.lastIndexOf('.') + 1));
};

const BUILT_IN = { source: null, policies: [], middlewares: [] } as const;

const publicRoute = (method: string, path: string): RouteSummary => ({
  method,
  path,
  action: null,
  roles: [],
  tokens: [],
  ...BUILT_IN,
});

/** The endpoint is public. Each field of an operation checks its permission. */
const graphqlRoutes = (config: Project['config']): readonly RouteSummary[] => {
  const endpoint = graphqlOptionsOf(config)?.endpoint;
  return endpoint === undefined ? [] : ['POST', 'GET'].map((method) => publicRoute(method, endpoint));
};

/** Returns the roles and tokens that can call a route, which have at least one of the actions. */
const callersOf = (
  needed: readonly string[],
  { roles, tokens }: Callers,
): Pick<RouteSummary, 'roles' | 'tokens'> => ({
  roles: roles
    .filter(({ actions }) => needed.some((action) => actions.includes(action)))
    .map(({ role }) => role.type),
  tokens: tokens
    .filter((token) => needed.some((action) => isAllowed(token, action, Date.now())))
    .map(({ name }) => name),
});

const summarizeRoute = ({ method, path, guard }: Route, callers: Callers): RouteSummary => {
  const needed = guardedActions(guard);
  const [first] = needed;
  if (first === undefined) return publicRoute(method, path);
  const others = needed.slice(1).map((action) => action.slice(action.lastIndexOf('.') + 1));
  return {
    method,
    path,
    action: [first, ...others].join('|'),
    ...callersOf(needed, callers),
    ...BUILT_IN,
  };
};

/** Summarizes a route that a file declares, or a core route with the policies and middlewares of a file. */
const summarizeDeclared = (
  { method, path, actions, file, policies, middlewares }: ListedRoute,
  callers: Callers,
): RouteSummary => {
  const declared = { source: file, policies, middlewares };
  if (actions.length === 0) return { ...publicRoute(method, path), ...declared };
  return { method, path, action: actions.join('+'), ...callersOf(actions, callers), ...declared };
};

const routeKey = ({ method, path }: Pick<RouteSummary, 'method' | 'path'>): string =>
  `${method} ${path.replace(/:\w+/g, ':')}`;

/** Replaces built-in routes by the routes that files of a project declare. The first one takes precedence. */
const mergeDeclared = (
  summaries: readonly RouteSummary[],
  declared: readonly ListedRoute[],
  callers: Callers,
): readonly RouteSummary[] => {
  const byKey = new Map<string, ListedRoute>();
  for (const route of declared) if (!byKey.has(routeKey(route))) byKey.set(routeKey(route), route);
  const builtIn = new Set(summaries.map(routeKey));
  return [
    ...summaries.flatMap((summary) => {
      const route = byKey.get(routeKey(summary));
      if (route === undefined || (route.kind === 'core' && route.file === null)) return [summary];
      return route.kind === 'excluded' ? [] : [summarizeDeclared({ ...route, path: summary.path }, callers)];
    }),
    ...[...byKey.values()]
      .filter((route) => route.kind !== 'excluded' && !builtIn.has(routeKey(route)))
      .map((route) => summarizeDeclared(route, callers)),
  ];
};

/** The filter of listed routes. If both are null, all are listed. */
interface RouteFilter {
  /** Routes of this type or controller. */
  readonly uid: string | null;
  /** Routes that users of this role can call, including public ones. */
  readonly role: string | null;
}

/** Returns the routes that match a filter. */
export function filterRoutes(
  routes: readonly RouteSummary[],
  { uid, role }: RouteFilter,
): readonly RouteSummary[] {
  return routes.filter(
    ({ action, roles }) =>
      (uid === null || (action !== null && withoutLastSegment(action) === uid)) &&
      (role === null || action === null || roles.includes(role)),
  );
}

/**
 * Returns every route of the server with its callers, including routes of project code and plugins. Routes
 * that require a permission come first.
 *
 * @throws the errors of evaluating that code
 */
export async function listRoutes(project: Project, callers: Callers): Promise<readonly RouteSummary[]> {
  const { model, config } = project;
  const routes = restRoutes({
    model,
    prefix: config.api.rest.prefix,
    accounts: accountSettings(config),
  }).map((route) => summarizeRoute(route, callers));
  const summaries = mergeDeclared(routes, await listStrapiRoutes(project), callers);
  return [
    ...summaries.filter(({ action }) => action !== null),
    ...summaries.filter(({ action }) => action === null),
    ...graphqlRoutes(config),
    publicRoute('GET', '/_health'),
    publicRoute('GET', '/_ready'),
    ...(config.metrics ? [publicRoute('GET', config.metrics.path)] : []),
  ];
}
