import { SERVICES, UNSUPPORTED_SERVICES } from '../../access/providers/authorisation.js';
import { redirectUri } from '../../access/providers/sign-in-flow.js';
import { providerSettings } from '../../config/provider-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createServerState } from '../../database/server-state.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { mapUnreachableError, openProjectDatabase } from '../../project/open/open-database.js';
import { openProject, publicUrl } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { STORE_PREFIX } from '../../transfer/stored-state.js';
import type { Outcome } from '../outcome.js';

type ProviderValues = Readonly<Record<string, unknown>>;

const KEY = `${STORE_PREFIX}plugin_users-permissions_grant`;

const parse = (text: string | null): ProviderValues => {
  const stored: unknown = text === null ? {} : JSON.parse(text);
  return isRecord(stored) ? stored : {};
};

/** Returns the redirect URL to register with the provider's service. */
export function providerRedirect({ config }: Project, name: string): string {
  return redirectUri({ apiUrl: `${publicUrl(config)}${config.api.rest.prefix}` }, name);
}

const withState = async <T>(
  project: Project,
  work: (state: ReturnType<typeof createServerState>) => Promise<T>,
): Promise<T> =>
  mapUnreachableError(project, async () => {
    const { context, close } = await openProjectDatabase(project);
    try {
      return await work(createServerState(context.database));
    } finally {
      await close();
    }
  });

/** Returns the sign-in providers, including those of the configuration. */
export async function listProviders(project: Project): Promise<ReadonlyMap<string, ProviderSettings>> {
  return withState(project, async (state) => providerSettings(project.config, parse(await state.read(KEY))));
}

const assertKnown = (name: string, { issuer }: ProviderSettings): void => {
  if (issuer !== null || Object.hasOwn(SERVICES, name)) return;
  const reason = UNSUPPORTED_SERVICES[name];
  if (reason !== undefined) throw createError('auth/provider-unsupported', { provider: name, reason });
  const remedy = didYouMean(name, Object.keys(SERVICES), 'Pass the address of its issuer: --issuer URL');
  throw createError('auth/unknown-provider', { name, remedy });
};

/**
 * Changes the stored settings of a provider. Returns the resulting settings.
 *
 * @throws `auth/provider-declared`, `auth/unknown-provider`, `auth/provider-unsupported`
 */
export async function changeProvider(
  project: Project,
  {
    name,
    values,
    isDryRun,
  }: { readonly name: string; readonly values: ProviderValues; readonly isDryRun: boolean },
): Promise<ProviderSettings> {
  return withState(project, async (state) => {
    let changed: ProviderSettings | undefined;
    await state.change(KEY, (text) => {
      const stored = parse(text);
      const former = stored[name];
      const grant = { ...stored, [name]: { enabled: false, ...(isRecord(former) ? former : {}), ...values } };
      changed = providerSettings(project.config, grant).get(name);
      if (changed === undefined) throw createError('auth/unknown-provider', { name, remedy: '' });
      if (changed.isDeclared)
        throw createError('auth/provider-declared', { name, file: project.config.file ?? 'cms.config' });
      assertKnown(name, changed);
      return isDryRun ? null : JSON.stringify(grant);
    });
    if (changed === undefined) throw createError('auth/unknown-provider', { name, remedy: '' });
    return changed;
  });
}

/** A provider for `--json`, without its secret. */
export function providerJson(
  project: Project,
  provider: ProviderSettings,
): Readonly<Record<string, unknown>> {
  const { name, isEnabled, key, secret, callback, scope, subdomain, issuer, isDeclared } = provider;
  return {
    name,
    isEnabled,
    key,
    hasSecret: secret !== '',
    callback,
    ...(scope === null ? {} : { scope }),
    ...(subdomain === null ? {} : { subdomain }),
    ...(issuer === null ? {} : { issuer }),
    redirect: providerRedirect(project, name),
    isDeclared,
  };
}

interface SwitchOptions {
  readonly root: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isDryRun: boolean;
}

/**
 * Switches a provider on or off.
 *
 * @throws `auth/provider-without-key`, and what {@link changeProvider} throws
 */
export async function switchProvider({ root, name, isEnabled, isDryRun }: SwitchOptions): Promise<Outcome> {
  const project = await openProject(root);
  const change = { name, values: { enabled: isEnabled } };
  const planned = await changeProvider(project, { ...change, isDryRun: true });
  if (isEnabled && planned.key === '') throw createError('auth/provider-without-key', { name });
  if (!isDryRun) await changeProvider(project, { ...change, isDryRun });
  const verb = isEnabled ? 'enable' : 'disable';
  const done = isDryRun ? `Would ${verb}` : isEnabled ? 'Enabled' : 'Disabled';
  return {
    json: { ...providerJson(project, planned), ...(isDryRun ? { dryRun: true } : {}) },
    text: `${done} signing in with ${name}.`,
  };
}
