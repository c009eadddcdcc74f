import { createError } from '../../errors/catalogue.js';
import { parseBodyFields } from './parse-body-fields.js';
import { redeemCode } from './codes.js';
import { assertAllowedPassword, assertPassword, setPassword, assertPasswordConfirmed } from './passwords.js';
import type { AccountContext, SignInResult } from './account-context.js';

/**
 * Sets a new password with a code that was sent by e-mail. Redeems the code and ends everything signed in
 * before.
 *
 * @throws `request/invalid-values`, `auth/invalid-code`, `auth/account-blocked`
 */
export async function resetPassword(context: AccountContext, body: unknown): Promise<SignInResult> {
  const { code, password, passwordConfirmation } = parseBodyFields(body, [
    'code',
    'password',
    'passwordConfirmation',
  ]);
  assertPasswordConfirmed(password, passwordConfirmation);
  assertPassword(context, password);
  await assertAllowedPassword(context, password);
  const userDocumentId = await redeemCode(context.database, 'reset-password', code, context.now());
  const user = userDocumentId === null ? null : await context.users.byDocumentId(userDocumentId);
  if (user === null) throw createError('auth/invalid-code');
  if (user.blocked) throw createError('auth/account-blocked');
  return setPassword(context, user, password);
}
