import { randomInt } from 'node:crypto';
import { createError } from '../../errors/catalogue.js';
import type { AccountContext, SignInResult } from '../accounts/account-context.js';
import { createUser } from '../accounts/create-user.js';
import { signIn } from '../accounts/sessions.js';
import { userSelection } from '../accounts/user-record.js';
import type { UserState } from '../accounts/user-reader.js';
import { findRole, roleTables } from '../roles/role-tables.js';
import type { Profile } from './profile.js';

const MIN_NAME_LENGTH = 3;

/** A name that nobody has: that of the profile, or one that begins with it. */
const freeName = async ({ users }: AccountContext, wanted: string): Promise<string> => {
  const isFree = async (name: string): Promise<boolean> =>
    name.length >= MIN_NAME_LENGTH &&
    (await users.byIdentifier(name)) === null &&
    (await users.bySimilarName(name)).length === 0;
  if (await isFree(wanted)) return wanted;
  for (let number = 2; number < 10; number += 1)
    if (await isFree(`${wanted}-${number}`)) return `${wanted}-${number}`;
  return `${wanted}-${randomInt(1e9)}`;
};

const signUp = async (
  context: AccountContext,
  {
    profile,
    email,
    provider,
  }: { readonly profile: Profile; readonly email: string; readonly provider: string },
): Promise<UserState | null> => {
  const { defaultRole } = await context.currentSettings();
  const role = await context.database.transact(
    async (tx) => (await findRole(tx, roleTables(context.model), defaultRole)).documentId,
  );
  const username = await freeName(context, profile.username?.trim() || (email.split('@')[0] ?? email));
  const { documentId } = await createUser(
    context,
    { username, email, provider, role, confirmed: true, blocked: false },
    { selection: userSelection(context.model) },
  );
  return context.users.byDocumentId(documentId);
};

const findOrSignUp = async (
  context: AccountContext,
  provider: string,
  profile: Profile,
): Promise<UserState> => {
  const email = (profile.email ?? '').toLowerCase();
  if (email === '') throw createError('auth/provider-without-email');
  const found = await context.users.byIdentifier(email);
  const owner = found?.email === email ? found : null;
  if (owner?.provider === provider) return owner;
  if (!(await context.currentSettings()).allowRegister)
    throw createError('auth/provider-registration-disabled');
  if (owner !== null) throw createError('auth/provider-email-taken');
  const user = await signUp(context, { profile, email, provider });
  if (user === null) throw createError('request/unauthorized');
  return user;
};

/**
 * Signs in the user that a service tells of, who is signed up first where there is none.
 *
 * @throws `auth/provider-without-email`, `auth/provider-registration-disabled`, `auth/provider-email-taken`,
 *   `auth/account-blocked`
 */
export async function connectUser(
  context: AccountContext,
  provider: string,
  profile: Profile,
): Promise<SignInResult> {
  const user = await findOrSignUp(context, provider, profile);
  if (user.blocked) throw createError('auth/account-blocked');
  return signIn(context, user);
}
