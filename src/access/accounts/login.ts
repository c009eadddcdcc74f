import { createError } from '../../errors/catalogue.js';
import { parseBodyFields } from './parse-body-fields.js';
import { isCorrectPassword } from './passwords.js';
import type { AccountContext, SignInResult } from './account-context.js';
import { signIn } from './sessions.js';

/**
 * Signs a user in with a name or e-mail address and a password. Only those who know the password learn that
 * the account is blocked.
 *
 * @throws `auth/provider-disabled`,
 *   `request/invalid-values`, `auth/invalid-credentials`, `auth/account-blocked`,
 *   `auth/email-not-confirmed`
 */
export async function login(context: AccountContext, body: unknown): Promise<SignInResult> {
  const settings = await context.currentSettings();
  if (!settings.localSignIn) throw createError('auth/provider-disabled');
  const { identifier, password } = parseBodyFields(body, ['identifier', 'password']);
  const user = await context.users.byIdentifier(identifier);
  const isPasswordCorrect = await isCorrectPassword(password, user?.passwordHash ?? null);
  if (user === null || !isPasswordCorrect) throw createError('auth/invalid-credentials');
  if (user.blocked) throw createError('auth/account-blocked');
  if (settings.emailConfirmation && !user.confirmed) throw createError('auth/email-not-confirmed');
  return signIn(context, user);
}
