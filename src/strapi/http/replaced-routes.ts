import { restRoutes } from '../../api/rest/routes/rest-routes.js';
import type { Route } from '../../api/rest/routes/route.js';
import type { HttpHost } from './http-host.js';
import type { RouteTable } from './route-table.js';
import type { ProjectRoute } from './routes.js';

/** Types of the project have the routes that its files state; only their own code answers those. */
const isBuiltin = ({ contentType }: Route): boolean => contentType?.startsWith('api::') !== true;

/** Returns a path that a route of Fastify takes. */
const samplePath = ({ path }: Route): string => path.replaceAll(/:\w+|\*/g, 'a');

/**
 * Returns the built-in routes, such as those for signing in, that routes of the project's APIs answer
 * instead. Routes that extensions of plugins change are not included, since their change is intended.
 */
export function replacedRoutes(
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
