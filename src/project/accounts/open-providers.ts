import { redirectUri } from '../../access/providers/sign-in-flow.js';
import { SERVICES, UNSUPPORTED_SERVICES } from '../../access/providers/services.js';
import { providerSettings } from '../../config/provider-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createServerState } from '../../database/server-state.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { didYouMean } from '../../lib/nearest.js';
import { STORE_PREFIX } from '../../transfer/stored-state.js';
import { openProjectDatabase } from '../open-project-database.js';
import type { Project } from '../open-project.js';
import { publicUrl } from '../server-url.js';
import { mapUnreachableError } from '../unreachable-error.js';

type Values = Readonly<Record<string, unknown>>;
type Settings = ReadonlyMap<string, ProviderSettings>;

const KEY = `${STORE_PREFIX}plugin_users-permissions_grant`;

const parse = (text: string | null): Values => {
  const stored: unknown = text === null ? {} : JSON.parse(text);
  return isRecord(stored) ? stored : {};
};

/** Returns the address that a service has to be told to send browsers back to. */
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

/** Reads the providers that sign people in, those of the configuration included. */
export async function listProviders(project: Project): Promise<Settings> {
  return withState(project, async (state) => providerSettings(project.config, parse(await state.read(KEY))));
}

const assertKnown = (name: string, { issuer }: ProviderSettings): void => {
  if (issuer !== null || Object.hasOwn(SERVICES, name)) return;
  const reason = UNSUPPORTED_SERVICES[name];
  if (reason !== undefined) throw createError('auth/provider-unsupported', { provider: name, reason });
  const remedy = didYouMean(name, Object.keys(SERVICES), 'Give the address of its issuer: --issuer URL');
  throw createError('auth/unknown-provider', { name, remedy });
};

/**
 * Changes the stored settings of a provider. Returns what applies then.
 *
 * @throws `auth/provider-declared`, `auth/unknown-provider`, `auth/provider-unsupported`
 */
export async function changeProvider(
  project: Project,
  { name, values, isDryRun }: { readonly name: string; readonly values: Values; readonly isDryRun: boolean },
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
