import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { invalidValue } from '../../documents/validation/issues.js';
import type { AccountContext, UserWriteOptions } from './account-context.js';
import type { UserState } from './user-reader.js';

const IDENTIFIERS: ReadonlySet<string> = new Set(['username', 'email']);

/** True if the document service has rejected a name or address that another user has. */
const isIdentifierConflict = (error: unknown): boolean => {
  if (!isGalleyError(error) || error.code !== 'request/invalid-values') return false;
  const issues = error.details.errors ?? [];
  return (
    issues.length > 0 &&
    issues.every(
      ({ path: [name = ''], message }) => IDENTIFIERS.has(name) && message.startsWith('must be unique'),
    )
  );
};

/**
 * Throws `auth/email-or-username-taken` if another user has one of these as its name or address. A name equal
 * to another user's address would be ambiguous when signing in; one that differs only in case from another
 * would pass for it. Throws `request/invalid-values` for a name with space around it.
 *
 * @param current the user as stored, whose own name and address are available
 */
export async function assertIdentifiersAvailable(
  { users }: Pick<AccountContext, 'users'>,
  { username, email }: Readonly<Record<string, unknown>>,
  current: Pick<UserState, 'id' | 'username'> | null = null,
): Promise<void> {
  const isNewName = typeof username === 'string' && username !== '' && username !== current?.username;
  if (isNewName && username.trim() !== username)
    throw invalidValue(['username'], 'must not begin or end with a space');
  const sought = [username, email].filter((value) => typeof value === 'string' && value !== '') as string[];
  const found = [
    ...(await Promise.all(sought.map((identifier) => users.byIdentifier(identifier)))),
    ...(isNewName ? await users.bySimilarName(username) : []),
  ];
  if (found.some((user) => user !== null && user.id !== current?.id))
    throw createError('auth/email-or-username-taken');
}

/** Runs a write of a user. Reports a name or address that is taken with the message Strapi has for it. */
export async function mapIdentifierConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isIdentifierConflict(error)
      ? createError('auth/email-or-username-taken', {}, { cause: error })
      : error;
  }
}

/** Stores addresses in lower case, so that nobody can have two accounts by spelling one differently. */
export function normaliseUser(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const email = data['email'];
  return typeof email === 'string' ? { ...data, email: email.toLowerCase() } : data;
}

/**
 * Creates a user.
 *
 * @throws `auth/email-or-username-taken`, `request/invalid-values`, `request/invalid-key`
 */
export async function createUser(
  { users, documents }: Pick<AccountContext, 'users' | 'documents'>,
  values: Readonly<Record<string, unknown>>,
  options: UserWriteOptions,
): Promise<{ readonly documentId: string; readonly record: string }> {
  const data = normaliseUser(values);
  await assertIdentifiersAvailable({ users }, data);
  return mapIdentifierConflict(() => documents.create({ type: USER_UID, data, ...options }));
}
