import { changeProvider, providerRedirect } from '../../project/accounts/open-providers.js';
import { openProject } from '../../project/open-project.js';
import type { Project } from '../../project/open-project.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import { createError } from '../../errors/catalogue.js';
import type { Outcome } from '../outcome.js';

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
