import { fail } from '../../errors/catalogue.js';
import type { Caller } from '../access.js';
import type { PeopleContext } from './people.js';
import { endSession } from './sessions.js';

/** Ends the session a user is signed in with: its JWT and its refresh token stop working at once. Throws `request/unauthorized`. */
export async function logout(context: PeopleContext, caller: Caller): Promise<{ readonly ok: true }> {
  if (caller.kind !== 'user' || caller.session === null) throw fail('request/unauthorized');
  await endSession(context, caller.session);
  return { ok: true };
}
