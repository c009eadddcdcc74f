import * as Args from '@oclif/core/args';
import type { Administration } from '../../api/administration/administration.js';
import type { Outcome } from '../outcome.js';

/** The arguments of the commands about one user. */
export const userArguments = {
  user: Args.string({ required: true, description: 'Name or e-mail address of the user.' }),
};
export const userCompletion = { user: 'user' } as const;

/** `blocked`, `active` or `unconfirmed`. */
export function printUserState({
  blocked,
  confirmed,
}: {
  readonly blocked: boolean;
  readonly confirmed: boolean;
}): string {
  if (blocked) return 'blocked';
  return confirmed ? 'active' : 'unconfirmed';
}

/** Blocks or unblocks a user. */
export async function setUserBlocked(
  users: Administration['users'],
  isBlocked: boolean,
  { user, dryRun }: { readonly user: string; readonly dryRun: boolean },
): Promise<Outcome> {
  const { username, documentId } = await users.change({ user, blocked: isBlocked, dryRun });
  const verb = isBlocked ? 'block' : 'unblock';
  const done = dryRun ? `Would ${verb}` : isBlocked ? 'Blocked' : 'Unblocked';
  return {
    json: { username, documentId, blocked: isBlocked, ...(dryRun ? { dryRun } : {}) },
    text: `${done} ${username}.`,
  };
}

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
