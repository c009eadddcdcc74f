import * as v from 'valibot';
import { SERVICES, UNSUPPORTED_SERVICES } from '../../access/providers/authorisation.js';
import { redirectUri } from '../../access/providers/sign-in-flow.js';
import { providerSettings } from '../../config/provider-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { STORE_PREFIX, createServerState } from '../../database/server-state.js';
import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import { isRecord } from '../../lib/records.js';
import { MINUTE_MS } from '../../lib/units.js';
import { DRY_RUN, FLAG, NO_INPUT, TEXT, TEXTS, operation } from './operation.js';
import type { AdministrationContext } from './operation.js';

const KEY = `${STORE_PREFIX}plugin_users-permissions_grant`;

type ProviderValues = Readonly<Record<string, unknown>>;

const parse = (text: string | null): ProviderValues => {
  const stored: unknown = text === null ? {} : JSON.parse(text);
  return isRecord(stored) ? stored : {};
};

/** A sign-in provider without its secret. */
export interface ProviderSummary {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly key: string;
  readonly hasSecret: boolean;
  readonly callback: string | null;
  readonly scope?: readonly string[];
  readonly subdomain?: string;
  readonly issuer?: string;
  /** The redirect URL to register with the provider's service. */
  readonly redirect: string;
  readonly isDeclared: boolean;
}

const summarize = (
  { apiUrl }: AdministrationContext,
  { name, isEnabled, key, secret, callback, scope, subdomain, issuer, isDeclared }: ProviderSettings,
): ProviderSummary => ({
  name,
  isEnabled,
  key,
  hasSecret: secret !== '',
  callback,
  ...(scope === null ? {} : { scope }),
  ...(subdomain === null ? {} : { subdomain }),
  ...(issuer === null ? {} : { issuer }),
  redirect: redirectUri({ apiUrl }, name),
  isDeclared,
});

const assertKnown = (name: string, { issuer }: ProviderSettings): void => {
  if (issuer !== null || Object.hasOwn(SERVICES, name)) return;
  const reason = UNSUPPORTED_SERVICES[name];
  if (reason !== undefined) throw createError('auth/provider-unsupported', { provider: name, reason });
  const remedy = didYouMean(name, Object.keys(SERVICES), 'Pass the address of its issuer: --issuer URL');
  throw createError('auth/unknown-provider', { name, remedy });
};

/** Returns the changed settings of a provider. */
const changedProvider = (
  { config }: AdministrationContext,
  name: string,
  grant: ProviderValues,
): ProviderSettings => {
  const changed = providerSettings(config, grant).get(name);
  if (changed === undefined) throw createError('auth/unknown-provider', { name, remedy: '' });
  if (changed.isDeclared)
    throw createError('auth/provider-declared', { name, file: config.file ?? 'cms.config' });
  assertKnown(name, changed);
  return changed;
};

/** Operations on the services that sign users in. Secrets are never returned. */
export const PROVIDER_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List sign-in providers without their secrets',
    input: NO_INPUT,
    run: async (context) => {
      const grant = parse(await createServerState(context.access.database).read(KEY));
      return [...providerSettings(context.config, grant).values()].map((provider) =>
        summarize(context, provider),
      );
    },
  }),
  change: operation({
    action: 'write',
    description: 'Change the stored settings of a sign-in provider',
    input: v.strictObject({
      name: TEXT,
      values: v.strictObject({
        enabled: v.exactOptional(FLAG),
        key: v.exactOptional(TEXT),
        secret: v.exactOptional(TEXT),
        callback: v.exactOptional(TEXT),
        scope: v.exactOptional(TEXTS),
        subdomain: v.exactOptional(TEXT),
        issuer: v.exactOptional(TEXT),
      }),
      ...DRY_RUN,
    }),
    targetOf: ({ name }) => name,
    run: async (context, { name, values, dryRun = false }) => {
      let summary: ProviderSummary | undefined;
      await createServerState(context.access.database).change(KEY, (text) => {
        const stored = parse(text);
        const former = stored[name];
        const provider = { enabled: false, ...(isRecord(former) ? former : {}), ...values };
        const grant = { ...stored, [name]: provider };
        const changed = changedProvider(context, name, grant);
        if (values.enabled === true && changed.key === '')
          throw createError('auth/provider-without-key', { name });
        summary = summarize(context, changed);
        return dryRun ? null : JSON.stringify(grant);
      });
      if (summary === undefined) throw createError('auth/unknown-provider', { name, remedy: '' });
      return summary;
    },
  }),
} as const;

const CHECK_TIMEOUT_MS = 10 * MINUTE_MS;

/** Operations that examine a server. */
export const CHECK_OPERATIONS = {
  examine: operation({
    action: 'read',
    description: 'Check the project and its environment',
    input: v.strictObject({ isProduction: v.optional(FLAG, false) }),
    run: ({ examine }, { isProduction }) => examine(isProduction),
    timeoutMs: CHECK_TIMEOUT_MS,
  }),
  suggestIndexes: operation({
    action: 'write',
    description: 'Measure indexes for slow reads on copies of the tables',
    input: NO_INPUT,
    run: ({ suggestIndexes }) => suggestIndexes(),
    timeoutMs: CHECK_TIMEOUT_MS,
  }),
} as const;
