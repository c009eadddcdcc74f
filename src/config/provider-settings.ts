import { isRecord, withoutUndefined } from '../lib/records.js';
import { createCheck } from './checks.js';
import * as v from 'valibot';
import type { Config } from './config.js';

/** The settings of sign-in with accounts of another service. */
export interface ProviderSettings {
  readonly name: string;
  readonly isEnabled: boolean;
  /** The client ID of this server at the service. Empty: not set. */
  readonly key: string;
  readonly secret: string;
  /** The page of the front end that is shown at the end. Null: none is set. */
  readonly callback: string | null;
  /** The requested scopes. Null: those that the service needs for a name and an e-mail address. */
  readonly scope: readonly string[] | null;
  /** The subdomain of a service that has one for each customer. */
  readonly subdomain: string | null;
  readonly jwksUrl: string | null;
  /** The address of an OpenID Connect issuer, which publishes its endpoints. */
  readonly issuer: string | null;
  /** True if the configuration declares the provider, so that commands cannot change it. */
  readonly isDeclared: boolean;
}

type ProviderValues = Readonly<Record<string, unknown>>;

/** The provider name that Strapi uses for sign-in with a password. */
const LOCAL_PROVIDER = 'email';

const TEXTS = ['key', 'secret', 'callback', 'subdomain', 'jwksurl', 'issuer'] as const;

const PROVIDER = v.strictObject({
  enabled: v.exactOptional(v.boolean()),
  scope: v.exactOptional(v.array(v.string())),
  ...Object.fromEntries(TEXTS.map((name) => [name, v.exactOptional(v.optional(v.string()))] as const)),
});

/** The option `providers` of users-permissions: settings by the name of the provider. */
export const providersCheck = createCheck<Readonly<Record<string, ProviderValues>>>(
  `providers by their names, each with some of: enabled, scope, ${TEXTS.join(', ')}`,
  v.pipe(v.unknown(), v.record(v.pipe(v.string(), v.regex(/^[\w-]+$/)), PROVIDER)),
);

const readText = (values: ProviderValues, key: string): string | null => {
  const value = values[key];
  return typeof value === 'string' && value !== '' ? value : null;
};

const scopeOf = ({ scope }: ProviderValues): readonly string[] | null =>
  Array.isArray(scope) ? scope.filter((each): each is string => typeof each === 'string') : null;

const readProvider = (name: string, values: ProviderValues, isDeclared: boolean): ProviderSettings => ({
  name,
  isEnabled: values['enabled'] === true,
  key: readText(values, 'key') ?? '',
  secret: readText(values, 'secret') ?? '',
  callback: readText(values, 'callback'),
  scope: scopeOf(values),
  subdomain: readText(values, 'subdomain'),
  jwksUrl: readText(values, 'jwksurl'),
  issuer: readText(values, 'issuer'),
  isDeclared,
});

/** Returns the settings of a provider in Strapi's setting `grant`. */
export function storedProvider(name: string, grant: unknown): ProviderSettings {
  const values = isRecord(grant) ? grant[name] : undefined;
  return readProvider(name, isRecord(values) ? values : {}, false);
}

/**
 * Returns the providers by name. The configuration and the environment take precedence over Strapi's setting
 * `grant`. A declared provider is enabled by default.
 */
export function providerSettings(
  { plugins, secrets }: Pick<Config, 'plugins' | 'secrets'>,
  grant: unknown,
): ReadonlyMap<string, ProviderSettings> {
  const declared = providersCheck.read(plugins['users-permissions']?.config['providers'] ?? {}) ?? {};
  const stored = isRecord(grant) ? grant : {};
  const names = new Set([...Object.keys(stored), ...Object.keys(declared)]);
  names.delete(LOCAL_PROVIDER);
  return new Map(
    [...names].toSorted().map((name) => {
      const kept = stored[name];
      const configured = declared[name];
      const values = {
        ...(isRecord(kept) ? kept : {}),
        ...(configured === undefined ? {} : { enabled: true, ...withoutUndefined(configured) }),
        ...secrets.providers[name],
      };
      return [name, readProvider(name, values, configured !== undefined)];
    }),
  );
}

/** `CMS_PROVIDER_GITHUB_SECRET` */
const VARIABLE = /^CMS_PROVIDER_(\w+)_(KEY|SECRET)$/;

/** Reads keys and secrets of providers from environment variables. */
export function providerSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const secrets: Record<string, Record<string, string>> = {};
  for (const [variable, value] of Object.entries(environment)) {
    const [, name, part] = VARIABLE.exec(variable) ?? [];
    if (name === undefined || part === undefined || value === undefined || value === '') continue;
    const provider = name.toLowerCase();
    secrets[provider] = { ...secrets[provider], [part.toLowerCase()]: value };
  }
  return secrets;
}
