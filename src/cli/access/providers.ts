import type { Administration } from '../../api/administration/administration.js';
import type { Outcome } from '../outcome.js';

interface ProviderSwitch {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly dryRun: boolean;
}

/**
 * Switches a provider on or off.
 *
 * @throws `auth/provider-without-key`, `auth/provider-declared`, `auth/unknown-provider`
 */
export async function switchProvider(
  providers: Administration['providers'],
  { name, isEnabled, dryRun }: ProviderSwitch,
): Promise<Outcome> {
  const provider = await providers.change({ name, values: { enabled: isEnabled }, dryRun });
  const verb = isEnabled ? 'enable' : 'disable';
  const done = dryRun ? `Would ${verb}` : isEnabled ? 'Enabled' : 'Disabled';
  return {
    json: { ...provider, ...(dryRun ? { dryRun } : {}) },
    text: `${done} signing in with ${name}.`,
  };
}
