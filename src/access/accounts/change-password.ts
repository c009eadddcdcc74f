import { createError } from '../../errors/catalogue.js';
import type { Caller } from '../access.js';
import { parseBodyFields } from './parse-body-fields.js';
import {
  assertAllowedPassword,
  assertPassword,
  setPassword,
  assertPasswordConfirmed,
  isCorrectPassword,
} from './passwords.js';
import type { AccountContext, SignInResult } from './account-context.js';

/**
 * Changes the password of a user who knows the current one. Ends everything that was signed in with it, and
 * signs the user in again.
 *
 * @throws `auth/not-signed-in`, `request/invalid-values`, `auth/wrong-password`, `auth/same-password`
 */
export async function changePassword(
  context: AccountContext,
  caller: Caller,
  body: unknown,
): Promise<SignInResult> {
  if (caller.kind !== 'user') throw createError('auth/not-signed-in');
  const { currentPassword, password, passwordConfirmation } = parseBodyFields(body, [
    'currentPassword',
    'password',
    'passwordConfirmation',
  ]);
  assertPasswordConfirmed(password, passwordConfirmation);
  assertPassword(context, password);
  await assertAllowedPassword(context, password);
  const user = await context.users.byDocumentId(caller.documentId);
  const isPasswordCorrect = await isCorrectPassword(currentPassword, user?.passwordHash ?? null);
  if (user === null || !isPasswordCorrect) throw createError('auth/wrong-password');
  if (password === currentPassword) throw createError('auth/same-password');
  return setPassword(context, user, password);
}
