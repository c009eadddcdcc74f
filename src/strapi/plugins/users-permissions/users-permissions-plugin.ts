/**
 * Implements the plugin users-permissions with Galley's accounts, roles and tokens. Start at {@link
 * createUsersPermissionsPlugin}.
 */
import type { LimitedOperation } from '../../../access/accounts/attempts.js';
import { accountRoutes } from '../../../api/rest/routes/account-routes.js';
import { isRecord, propertyOf } from '../../../lib/records.js';
import { PROFILES } from '../../../access/providers/profiles.js';
import type { Profile } from '../../../access/providers/profiles.js';
import { storedProvider } from '../../../config/provider-settings.js';
import { ApplicationError } from '../../../errors/project-errors.js';
import { ROLE_UID, USER_UID } from '../../../model/content-types/builtin-types.js';
import { toPluginDefinition } from '../plugin-definition.js';
import type { PluginDefinition } from '../plugin-definition.js';
import type { PluginHost, Entry } from '../plugin-host.js';
import { ACTIONS, createUserControllers } from './controllers.js';
import type { BridgedContext } from './controllers.js';
import {
  createJwtService,
  createPermissionsService,
  createRoleService,
  createUserService,
} from './services.js';

/** The argument of a provider's `authCallback`. */
interface ProviderRequest {
  readonly provider: string;
  readonly accessToken: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly providers: unknown;
}

/** A way to sign in with an account of another service. */
interface Provider {
  readonly enabled?: boolean;
  readonly icon?: string;
  readonly grantConfig?: unknown;
  readonly authCallback?: (request: ProviderRequest) => Promise<Profile>;
}

/** The providers that Galley knows. Project code adds others. */
const KNOWN_PROVIDERS: Readonly<Record<string, Provider>> = {
  email: { enabled: true, icon: 'envelope', grantConfig: {} },
  ...Object.fromEntries(
    Object.entries(PROFILES).map(([name, readProfile]): [string, Provider] => [
      name,
      {
        enabled: false,
        authCallback: ({ accessToken, providers }) =>
          readProfile({ accessToken, settings: storedProvider(name, providers) }),
      },
    ]),
  ),
};

type Query = Readonly<Record<string, unknown>>;

const SETTINGS = { type: 'plugin', name: 'users-permissions' } as const;

/** The service `providers-registry`: the ways to sign in with an account of another service. */
interface ProviderRegistry {
  readonly getAll: () => Readonly<Record<string, Provider>>;
  readonly get: (name: string) => Provider | undefined;
  readonly add: (name: string, provider: Provider | ((tools: unknown) => Provider)) => void;
  readonly remove: (name: string) => void;
  readonly run: (request: ProviderRequest) => Promise<Profile>;
}

/** Creates the service `providers-registry`. */
function createProviderRegistry(): ProviderRegistry {
  const providers: Record<string, Provider> = { ...KNOWN_PROVIDERS };
  return {
    getAll: () => providers,
    get: (name) => providers[name],
    add: (name, provider) => {
      providers[name] = typeof provider === 'function' ? provider({}) : provider;
    },
    remove: (name) => {
      delete providers[name];
    },
    run: async (request) => {
      const { authCallback } = providers[request.provider] ?? {};
      if (authCallback === undefined)
        throw new ApplicationError(
          `There is no provider ${request.provider}: add it with providers-registry.add(name, provider).`,
        );
      return authCallback(request);
    },
  };
}

const tokenOf = (query: Query): string => {
  const token = query['access_token'] ?? query['code'] ?? query['oauth_token'];
  if (typeof token !== 'string' || token === '') throw new Error('No access_token.');
  return token;
};

const readProfile = async (host: PluginHost, provider: string, query: Query): Promise<Profile> => {
  const registry = host.service<ProviderRegistry>('users-permissions', 'providers-registry');
  const providers = await host.store({ ...SETTINGS, key: 'grant' }).get();
  return registry.run({ provider, query, accessToken: tokenOf(query), providers });
};

const signUp = async (
  { query }: PluginHost,
  profile: Profile,
  values: { readonly email: string; readonly provider: string; readonly roleType: unknown },
): Promise<Entry> => {
  const { email, provider, roleType } = values;
  const role = await query(ROLE_UID).findOne({ where: { type: roleType } });
  const name = profile.username?.trim() || (email.split('@')[0] ?? email);
  const isTaken = (await query(USER_UID).count({ where: { username: name } })) > 0;
  const username = isTaken ? `${name}-${Date.now().toString(36)}` : name;
  return query(USER_UID).create({
    data: { ...profile, username, email, provider, role: role?.id, confirmed: true },
  });
};

/** Creates the service `providers`. Project code replaces its functions. */
function createProvidersService(host: PluginHost) {
  return {
    connect: async (provider: string, query: Query): Promise<unknown> => {
      const profile = await readProfile(host, provider, query);
      const email = (profile.email ?? '').toLowerCase();
      if (email === '') throw new Error('Email was not available.');
      const users = await host.query(USER_UID).findMany({ where: { email } });
      const known = users.find((user) => user['provider'] === provider);
      if (known !== undefined) return known;
      const stored = await host.store({ ...SETTINGS, key: 'advanced' }).get();
      const settings = isRecord(stored) ? stored : {};
      if (settings['allow_register'] !== true) throw new Error('Register action is actually not available.');
      if (users.length > 0) throw new Error('Email is already taken.');
      return signUp(host, profile, { email, provider, roleType: settings['default_role'] });
    },
    buildRedirectUri: (provider = ''): string => `${host.accounts.apiUrl}/connect/${provider}/callback`,
  };
}

type Next = () => Promise<unknown>;

const FIRST_ERROR = 400;

/** Returns the handler in the context's route, such as `auth.register`. */
const handlerOf = (context: BridgedContext): string => {
  const route: unknown = Reflect.get(context.state, 'route');
  const handler = propertyOf(route, 'handler');
  return typeof handler === 'string' ? handler : '';
};

const limitedOperations = (host: PluginHost): ReadonlyMap<string, LimitedOperation> => {
  const operations = new Map(
    accountRoutes('', host.accounts.settings).map((route) => [route.operation, route.limitedOperation]),
  );
  const entries = Object.entries(ACTIONS.auth).flatMap(([action, operation]) => {
    const limited = operations.get(operation);
    return limited === undefined ? [] : [[`auth.${action}`, limited] as const];
  });
  return new Map(entries);
};

/**
 * Creates the middleware that limits attempts as Galley's routes do. On other routes, requests count as
 * attempts to sign in.
 */
function createRateLimit(host: PluginHost) {
  const operations = limitedOperations(host);
  return () =>
    async (context: BridgedContext, next: Next): Promise<unknown> => {
      const attempt = await host.accounts.attempts.begin(
        {
          operation: operations.get(handlerOf(context)) ?? 'login',
          ip: context.request.ip,
          values: context.request.body,
          caller: context.state.auth?.caller ?? null,
        },
        (seconds) => context.set('Retry-After', String(seconds)),
      );
      const result = await next();
      if (context.status < FIRST_ERROR) await attempt.succeeded();
      return result;
    };
}

/** A route in `plugin.routes['content-api'].routes`. */
interface PluginRoute {
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

/** Returns the routes of users-permissions in Strapi's form. */
function userRoutes({ accounts }: PluginHost): readonly PluginRoute[] {
  return accountRoutes('', accounts.settings).map(
    ({ method, path, operation, limitedOperation }): PluginRoute => ({
      method,
      path,
      handler: HANDLERS.get(operation) ?? operation,
      config: { ...(limitedOperation === undefined ? {} : { middlewares: [RATE_LIMIT] }), prefix: '' },
    }),
  );
}

const routeKey = ({ method, path }: PluginRoute): string => `${method.toUpperCase()} ${path}`;

const hasFunction = (value: unknown): boolean => {
  if (typeof value === 'function') return true;
  if (Array.isArray(value)) return value.some(hasFunction);
  return isRecord(value) && Object.values(value).some(hasFunction);
};

const isSame = (route: PluginRoute, original: PluginRoute | undefined): boolean =>
  original !== undefined && !hasFunction(route) && JSON.stringify(route) === JSON.stringify(original);

/** Returns a route that responds 404 at a path that the project has removed. */
const notFoundRoute = ({ method, path }: PluginRoute): PluginRoute => ({
  method,
  path,
  handler: (context: { notFound: () => void }) => context.notFound(),
  config: { auth: false, prefix: '' },
});

interface RouteChanges {
  readonly host: PluginHost;
  /** The routes after the extension has changed them. */
  readonly routes: readonly PluginRoute[];
  /** True if a handler such as `user.me` is Galley's. */
  readonly isDefault: (handler: string) => boolean;
  /** True if users can sign in with accounts of other services. */
  readonly hasProviders: boolean;
}

/** True if project code has added or replaced providers. */
function changesProviders(registry: ProviderRegistry): boolean {
  const providers = Object.entries(registry.getAll());
  return providers.some(([name, provider]) => KNOWN_PROVIDERS[name] !== provider);
}

/** Returns the routes that project code handles. Galley's routes serve the others. */
function changedRoutes({ host, routes, isDefault, hasProviders }: RouteChanges): readonly PluginRoute[] {
  const originals = new Map(userRoutes(host).map((route) => [routeKey(route), route]));
  const changed = routes.filter((route) => {
    const original = originals.get(routeKey(route));
    if (original?.path === PROVIDER_PATH && hasProviders) return true;
    return !isSame(route, original) || !isDefault(String(route.handler));
  });
  const kept = new Set(routes.map(routeKey));
  const removed = [...originals.values()].filter((route) => !kept.has(routeKey(route)));
  return [...changed, ...removed.map(notFoundRoute)];
}

/** The plugin users-permissions, with the routes that project code handles. */
export interface UsersPermissionsPlugin {
  readonly plugin: PluginDefinition;
  /** Returns the routes that differ from Galley's. Call it after all code that may change them. */
  readonly changedRouter: (
    plugin: PluginDefinition,
    controllerOf: (name: string) => unknown,
  ) => { readonly type: 'content-api'; readonly routes: readonly PluginRoute[] };
}

/** Returns a function with its result as properties: code written for Strapi uses routes as either. */
const asRouter = (routes: PluginRoute[]): unknown => {
  const router = { type: 'content-api', routes };
  return Object.assign(() => router, router);
};

const routesOf = ({ routes }: PluginDefinition): readonly PluginRoute[] => {
  const router = propertyOf(routes, 'content-api');
  const list: unknown =
    (typeof router === 'object' || typeof router === 'function') && router !== null
      ? Reflect.get(router, 'routes')
      : undefined;
  return Array.isArray(list) ? (list as readonly PluginRoute[]) : [];
};

/** Creates the plugin for Galley's accounts, roles and tokens. */
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
  const isDefaultHandler = (controllerOf: (name: string) => unknown, handler: string): boolean => {
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
        isDefault: (handler) => isDefaultHandler(controllerOf, handler),
        hasProviders:
          host.service('users-permissions', 'providers') !== providers ||
          providers.connect !== connect ||
          changesProviders(registry),
      }),
    }),
  };
}
