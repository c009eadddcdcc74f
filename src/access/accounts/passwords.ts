import { compare } from '@node-rs/bcrypt';
import { invalidValue, invalidValues } from '../../documents/validation/issues.js';
import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/source-location.js';
import { userType } from './user-attributes.js';
import type { UserState } from './user-reader.js';
import { revokeUserCodes } from './codes.js';
import type { AccountContext, SignInResult } from './account-context.js';
import { endUserSessions, signIn } from './sessions.js';
import { writeUser } from './user-record.js';

/** The hash of a password that nobody knows. Comparing with it takes as long as comparing with a real one. */
const DUMMY_HASH = '$2b$10$e1CbTI1GULdXhQ05.71k3O4BSuVVO8.5E9W4P4RVTYchtZEgbAXwS';

/**
 * True if a password matches its hash; null matches nothing. Takes the same time either way. bcrypt reads 72
 * bytes: Galley sets no longer password, but Strapi does, whose users keep theirs.
 */
export async function isCorrectPassword(password: string, hash: string | null): Promise<boolean> {
  const isMatch = await compare(password, hash ?? DUMMY_HASH);
  return isMatch && hash !== null;
}

/** Throws `request/invalid-values` if the password and its confirmation differ. */
export function assertPasswordConfirmed(password: string, confirmation: string): void {
  if (password !== confirmation)
    throw invalidValue(['passwordConfirmation'], 'must be the same as the password');
}

/** Throws `request/invalid-values` if a text is no value of an attribute of users. */
export function assertUserValue(
  { model }: Pick<AccountContext, 'model'>,
  name: 'username' | 'email' | 'password',
  text: string,
): void {
  const attribute = userType(model).attributes[name];
  if (attribute?.family !== 'scalar') throw new TypeError(`${USER_UID}.${name} is not a scalar.`);
  const parsed = attribute.field.parse(text, attribute.constraints, 'full');
  if (!parsed.ok)
    throw invalidValues(
      parsed.issues.map(({ message }) => ({ path: [name], message, name: 'ValidationError' })),
    );
}

/** Throws `request/invalid-values` if a password is too short, too long or against the project's rules. */
export function assertPassword(context: Pick<AccountContext, 'model'>, password: string): void {
  assertUserValue(context, 'password', password);
}

/** Throws `request/invalid-values` if the project's own rule refuses a password. */
export async function assertAllowedPassword(
  { validatePassword }: Pick<AccountContext, 'validatePassword'>,
  password: string,
): Promise<void> {
  if (validatePassword === null) return;
  let isAllowed: unknown;
  try {
    isAllowed = await validatePassword(password);
  } catch (error) {
    throw invalidValue(['password'], messageOf(error));
  }
  if (!isAllowed) throw invalidValue(['password'], "is against the project's rule");
}

/**
 * Sets a user's password. Ends everything that was signed in with the old one, deletes all codes for a new
 * one, and signs the user in again.
 */
export async function setPassword(
  context: AccountContext,
  user: UserState,
  password: string,
): Promise<SignInResult> {
  await writeUser(context, user.documentId, { password });
  await endUserSessions(context, user.documentId);
  await revokeUserCodes(context, user.documentId, 'reset-password');
  const changed = await context.users.byDocumentId(user.documentId);
  if (changed === null) throw createError('request/unauthorized');
  return signIn(context, changed);
}
