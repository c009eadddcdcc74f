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
