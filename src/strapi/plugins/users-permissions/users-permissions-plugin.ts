import { isRecord } from '../../../lib/is-record.js';
import { toPluginDefinition } from '../plugin-definition.js';
import type { PluginDefinition } from '../plugin-definition.js';
import type { PluginHost } from '../plugin-host.js';
import { createUserControllers } from './controllers.js';
import { createJwtService } from './jwt-service.js';
import { createPermissionsService } from './permissions-service.js';
import { createProviderRegistry, createProvidersService } from './provider-services.js';
import { createRateLimit } from './rate-limit.js';
import { createRoleService } from './role-service.js';
import { changedRoutes, changesProviders, userRoutes } from './routes.js';
import type { PluginRoute } from './routes.js';
import { createUserService } from './user-service.js';

/** The plugin users-permissions, and which of its routes project code answers. */
export interface UsersPermissionsPlugin {
  readonly plugin: PluginDefinition;
  /** Returns the routes that differ from ours, once all code has run that may change them. */
  readonly changedRouter: (
    plugin: PluginDefinition,
    controllerOf: (name: string) => unknown,
  ) => { readonly type: 'content-api'; readonly routes: readonly PluginRoute[] };
}

/** Routes are a function with its result as a property: code written for Strapi uses it as either. */
const asRouter = (routes: PluginRoute[]): unknown => {
  const router = { type: 'content-api', routes };
  return Object.assign(() => router, router);
};

const routesOf = ({ routes }: PluginDefinition): readonly PluginRoute[] => {
  const router: unknown =
    typeof routes === 'object' && routes !== null ? Reflect.get(routes, 'content-api') : null;
  const list: unknown =
    (typeof router === 'object' || typeof router === 'function') && router !== null
      ? Reflect.get(router, 'routes')
      : undefined;
  return Array.isArray(list) ? (list as readonly PluginRoute[]) : [];
};

/** Creates the plugin over Galley's own accounts, roles and tokens. */
export function createUsersPermissionsPlugin(host: PluginHost): UsersPermissionsPlugin {
  const registry = createProviderRegistry();
  const providers = createProvidersService(host);
  const { connect } = providers;
  const { controllers, isDefault } = createUserControllers(host);
  const plugin = toPluginDefinition({
    controllers,
    services: {
      user: createUserService(host),
      jwt: createJwtService(host),
      role: createRoleService(host),
      'users-permissions': createPermissionsService(host),
      'providers-registry': registry,
      providers,
    },
    middlewares: { rateLimit: createRateLimit(host) },
    routes: { 'content-api': asRouter([...userRoutes(host)]), admin: { type: 'admin', routes: [] } },
  });
  const isOurs = (controllerOf: (name: string) => unknown, handler: string): boolean => {
    const [controller = '', action = ''] = handler.split('.');
    const found = controllerOf(controller);
    return isRecord(found) && isDefault(found[action]);
  };
  return {
    plugin,
    changedRouter: (changed, controllerOf) => ({
      type: 'content-api',
      routes: changedRoutes({
        host,
        routes: routesOf(changed),
        isDefault: (handler) => isOurs(controllerOf, handler),
        hasProviders:
          host.service('users-permissions', 'providers') !== providers ||
          providers.connect !== connect ||
          changesProviders(registry),
      }),
    }),
  };
}
