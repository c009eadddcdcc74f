import { fail } from '../../errors/catalogue.js';
import { readTexts } from './body.js';
import { redeemCode } from './codes.js';
import { assertPassword, changePasswordOf } from './new-password.js';
import { assertRepeated } from './passwords.js';
import type { PeopleContext, SignedIn } from './people.js';

/**
 * Lets who knows a code choose a new password. The code is used up, and everything signed in before ends.
 *
 * @throws `request/invalid-values`, `auth/invalid-code`, `auth/blocked`
 */
export async function resetPassword(context: PeopleContext, body: unknown): Promise<SignedIn> {
  const { code, password, passwordConfirmation } = readTexts(body, ['code', 'password', 'passwordConfirmation']);
  assertRepeated(password, passwordConfirmation);
  assertPassword(context, password);
  const owner = await redeemCode(context.database, 'reset-password', code, context.now());
  const user = owner === null ? null : await context.users.byDocumentId(owner);
  if (user === null) throw fail('auth/invalid-code');
  if (user.blocked) throw fail('auth/blocked');
  return changePasswordOf(context, user, password);
}
