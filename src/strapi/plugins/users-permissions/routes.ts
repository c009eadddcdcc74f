import { accountRoutes } from '../../../api/rest/routes/account-routes.js';
import { isRecord } from '../../../lib/is-record.js';
import type { PluginHost } from '../plugin-host.js';
import type { ProviderRegistry } from './provider-services.js';
import { KNOWN_PROVIDERS } from './known-providers.js';
import { ACTIONS } from './controllers.js';

/** A route as `plugin.routes['content-api'].routes` lists it. */
export interface PluginRoute {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The name of the middleware that limits attempts. */
const RATE_LIMIT = 'plugin::users-permissions.rateLimit';

const HANDLERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ACTIONS).flatMap(([controller, actions]) =>
    Object.entries(actions).map(([action, operation]) => [operation, `${controller}.${action}`] as const),
  ),
  ['connectCallback', 'auth.connect'] as const,
  ['providerCallback', 'auth.callback'] as const,
]);

const PROVIDER_PATH = '/auth/:provider/callback';

/** Returns the routes of users-permissions as code written for Strapi knows them. */
export function userRoutes({ accounts }: PluginHost): readonly PluginRoute[] {
  return accountRoutes('', accounts.settings).map(
    ({ method, path, operation, limitedOperation }): PluginRoute => ({
      method,
      path,
      handler: HANDLERS.get(operation) ?? operation,
      config: { ...(limitedOperation === undefined ? {} : { middlewares: [RATE_LIMIT] }), prefix: '' },
    }),
  );
}

const keyOf = ({ method, path }: PluginRoute): string => `${method.toUpperCase()} ${path}`;

const hasFunction = (value: unknown): boolean => {
  if (typeof value === 'function') return true;
  if (Array.isArray(value)) return value.some(hasFunction);
  return isRecord(value) && Object.values(value).some(hasFunction);
};

const isSame = (route: PluginRoute, original: PluginRoute | undefined): boolean =>
  original !== undefined && !hasFunction(route) && JSON.stringify(route) === JSON.stringify(original);

/** Answers at a path that the project has taken away. */
const missing = ({ method, path }: PluginRoute): PluginRoute => ({
  method,
  path,
  handler: (context: { notFound: () => void }) => context.notFound(),
  config: { auth: false, prefix: '' },
});

export interface RouteChanges {
  readonly host: PluginHost;
  /** The routes as the extension has left them. */
  readonly routes: readonly PluginRoute[];
  /** True if a handler such as `user.me` does what Galley's own route does. */
  readonly isDefault: (handler: string) => boolean;
  /** True if users can sign in with accounts of other services. */
  readonly hasProviders: boolean;
}

/** True if project code has added providers, or replaced what signs users in with them. */
export function changesProviders(registry: ProviderRegistry): boolean {
  const providers = Object.entries(registry.getAll());
  return providers.some(([name, provider]) => KNOWN_PROVIDERS[name] !== provider);
}

/** Returns the routes that project code answers. Galley's own routes serve the others. */
export function changedRoutes({
  host,
  routes,
  isDefault,
  hasProviders,
}: RouteChanges): readonly PluginRoute[] {
  const originals = new Map(userRoutes(host).map((route) => [keyOf(route), route]));
  const changed = routes.filter((route) => {
    const original = originals.get(keyOf(route));
    if (original?.path === PROVIDER_PATH && hasProviders) return true;
    return !isSame(route, original) || !isDefault(String(route.handler));
  });
  const kept = new Set(routes.map(keyOf));
  const removed = [...originals.values()].filter((route) => !kept.has(keyOf(route)));
  return [...changed, ...removed.map(missing)];
}
