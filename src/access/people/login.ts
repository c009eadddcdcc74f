import { fail } from '../../errors/catalogue.js';
import { readTexts } from './body.js';
import { isPassword } from './passwords.js';
import type { PeopleContext, SignedIn } from './people.js';
import { signIn } from './sessions.js';

/**
 * Signs somebody in by name or e-mail address, and password. Only who knows the password learns that the account is blocked.
 *
 * @throws `request/invalid-values`, `auth/invalid-credentials`, `auth/blocked`, `auth/unconfirmed`
 */
export async function login(context: PeopleContext, body: unknown): Promise<SignedIn> {
  const { identifier, password } = readTexts(body, ['identifier', 'password']);
  const user = await context.users.byIdentifier(identifier);
  const isTheirs = await isPassword(password, user?.passwordHash ?? null);
  if (user === null || !isTheirs) throw fail('auth/invalid-credentials');
  if (user.blocked) throw fail('auth/blocked');
  if (context.settings.emailConfirmation && !user.confirmed) throw fail('auth/unconfirmed');
  return signIn(context, user);
}
