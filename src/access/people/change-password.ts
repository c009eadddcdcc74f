import { fail } from '../../errors/catalogue.js';
import type { Caller } from '../access.js';
import { readTexts } from './body.js';
import { assertPassword, changePasswordOf } from './new-password.js';
import { assertRepeated, isPassword } from './passwords.js';
import type { PeopleContext, SignedIn } from './people.js';

/**
 * Lets a user who knows the present password choose a new one. Everything signed in before ends; the answer signs in anew.
 *
 * @throws `auth/not-signed-in`, `request/invalid-values`, `auth/wrong-password`, `auth/same-password`
 */
export async function changePassword(context: PeopleContext, caller: Caller, body: unknown): Promise<SignedIn> {
  if (caller.kind !== 'user') throw fail('auth/not-signed-in');
  const { currentPassword, password, passwordConfirmation } = readTexts(body, ['currentPassword', 'password', 'passwordConfirmation']);
  assertRepeated(password, passwordConfirmation);
  assertPassword(context, password);
  const user = await context.users.byDocumentId(caller.documentId);
  const isTheirs = await isPassword(currentPassword, user?.passwordHash ?? null);
  if (user === null || !isTheirs) throw fail('auth/wrong-password');
  if (password === currentPassword) throw fail('auth/same-password');
  return changePasswordOf(context, user, password);
}
