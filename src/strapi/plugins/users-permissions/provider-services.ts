import type { Profile } from '../../../access/providers/profiles.js';
import { PROFILES } from '../../../access/providers/profiles.js';
import { storedProvider } from '../../../config/provider-settings.js';
import { ApplicationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/records.js';
import { ROLE_UID, USER_UID } from '../../../model/content-types/builtin-types.js';
import type { Entry, PluginHost } from '../plugin-host.js';

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
export const KNOWN_PROVIDERS: Readonly<Record<string, Provider>> = {
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
export interface ProviderRegistry {
  readonly getAll: () => Readonly<Record<string, Provider>>;
  readonly get: (name: string) => Provider | undefined;
  readonly add: (name: string, provider: Provider | ((tools: unknown) => Provider)) => void;
  readonly remove: (name: string) => void;
  readonly run: (request: ProviderRequest) => Promise<Profile>;
}

/** Creates the service `providers-registry`. */
export function createProviderRegistry(): ProviderRegistry {
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
export function createProvidersService(host: PluginHost) {
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
