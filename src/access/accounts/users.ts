import { versionTable } from '../../documents/write/version-statements.js';
import { invalidValue } from '../../documents/validation/issues.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { publishedQuery } from '../../query/parse/server-queries.js';
import type { FilterNode, ReadQuery, Selection } from '../../query/query.js';
import { IDS_ONLY } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { AccessContext, RoleRecord } from '../access.js';
import { userType } from '../permissions/rules.js';
import { columnLinkOf, findRole, readRoles, roleTables } from '../roles/role-tables.js';
import type { AccountContext, UserWriteOptions } from './account-context.js';
import { revokeUserCodes } from './codes.js';
import { endUserSessions } from './sessions.js';
import type { UserState } from './user-reader.js';

/** An API user as commands print it. */
export interface UserSummary {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  /** The role's type; null if the user has none. */
  readonly role: string | null;
}

const USER_FIELDS = ['id', 'documentId', 'username', 'email', 'confirmed', 'blocked'] as const;

const toUserSummary = (
  row: Readonly<Record<string, unknown>>,
  field: string,
  roles: readonly RoleRecord[],
): UserSummary => ({
  id: Number(row['id']),
  documentId: String(row['documentId']),
  username: String(row['username']),
  email: String(row['email']),
  confirmed: row['confirmed'] === true,
  blocked: row['blocked'] === true,
  role: roles.find(({ documentId }) => documentId === row[field])?.type ?? null,
});

/**
 * Returns users in the order in which they were created: all, or those of one role. Throws
 * `access/unknown-role`.
 */
export async function listUsers(
  { database, model }: AccessContext,
  role?: string,
): Promise<readonly UserSummary[]> {
  const type = userType(model);
  const tables = roleTables(model);
  const { field } = columnLinkOf(type, 'role');
  return database.transact(async (tx) => {
    const roles = await readRoles(tx, tables);
    const where = role === undefined ? {} : { [field]: (await findRole(tx, tables, role)).documentId };
    const rows = await tx
      .table(versionTable(type))
      .find(where, { fields: [...USER_FIELDS, field], orderBy: 'id' });
    return rows.map((row) => toUserSummary(row, field, roles));
  });
}

/**
 * Removes a user and ends the user's sessions. Returns false if the user does not exist, or is not visible to
 * `access`.
 *
 * @throws `request/forbidden` for a user whom `access` may see, but not remove
 */
export async function removeUser(
  context: Pick<AccountContext, 'documents' | 'database'>,
  documentId: string,
  access?: ReadAccess,
): Promise<boolean> {
  if (!(await context.documents.delete({ type: USER_UID, documentId, access }))) return false;
  await endUserSessions(context, documentId);
  await revokeUserCodes(context, documentId);
  return true;
}

/** The removal of a user by a caller, to whom the user's record is returned. */
interface UserRemoval {
  readonly documentId: string;
  readonly access: ReadAccess;
  /** The requested parts of the record. */
  readonly selection: Selection;
  /** The locale of populated relations. */
  readonly locale: string;
}

const visibleRecord = async (
  { documents }: Pick<AccountContext, 'documents'>,
  query: ReadQuery,
  { documentId, access }: UserRemoval,
): Promise<string | null> => {
  const filter = access.canFind(USER_UID) ? (access.scopeOf?.(USER_UID, 'find')?.filter ?? null) : null;
  return documents.findOne({ ...query, filter }, documentId);
};

/**
 * Removes a user for a caller. Returns the JSON text of the record as `find` would have shown it, or only its
 * ids if the caller may not find that user.
 *
 * @throws `request/not-found`, `request/forbidden`
 */
export async function removeUserAs(
  context: Pick<AccountContext, 'documents' | 'database'>,
  removal: UserRemoval,
): Promise<string> {
  const { documentId, access, selection, locale } = removal;
  const query = publishedQuery(USER_UID, selection, { locale });
  const record =
    (await visibleRecord(context, query, removal)) ??
    (await context.documents.findOne({ ...query, selection: IDS_ONLY }, documentId));
  if (record === null || !(await removeUser(context, documentId, access)))
    throw createError('request/not-found');
  return record;
}

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
 * to another user's address would be ambiguous at sign-in; a name that differs only in case could be mistaken
 * for the other. Throws `request/invalid-values` for a name with space around it.
 *
 * @param current the stored user, whose current name and address are available
 */
export async function assertIdentifiersAvailable(
  { users }: Pick<AccountContext, 'users'>,
  { username, email }: Readonly<Record<string, unknown>>,
  current: Pick<UserState, 'id' | 'username'> | null = null,
): Promise<void> {
  const isNewName = typeof username === 'string' && username !== '' && username !== current?.username;
  if (isNewName && username.trim() !== username)
    throw invalidValue(['username'], 'must not begin or end with a space');
  const identifiers = [username, email].filter(
    (value) => typeof value === 'string' && value !== '',
  ) as string[];
  const found = [
    ...(await Promise.all(identifiers.map((identifier) => users.byIdentifier(identifier)))),
    ...(isNewName ? await users.bySimilarName(username) : []),
  ];
  if (found.some((user) => user !== null && user.id !== current?.id))
    throw createError('auth/email-or-username-taken');
}

/** Runs a write of a user. Reports a taken name or address with Strapi's message. */
async function mapIdentifierConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isIdentifierConflict(error)
      ? createError('auth/email-or-username-taken', {}, { cause: error })
      : error;
  }
}

/** Returns the values with the address in lower case, so that one address cannot have two accounts. */
function normaliseUser(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
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

/** Revokes codes that were sent to the previous address or for the previous password. */
const revokeStaleCodes = async (
  context: Pick<AccountContext, 'database'>,
  user: UserState,
  { email, password }: Readonly<Record<string, unknown>>,
): Promise<void> => {
  if (email !== undefined && email !== user.email) await revokeUserCodes(context, user.documentId);
  else if (password !== undefined) await revokeUserCodes(context, user.documentId, 'reset-password');
};

/**
 * Asserts that a caller may update a user, before any response reveals something about the user.
 *
 * @throws `request/not-found` if the caller cannot read the user either, `request/forbidden`
 */
const assertUpdatable = async (
  { documents }: Pick<AccountContext, 'documents'>,
  documentId: string,
  access: ReadAccess | undefined,
): Promise<void> => {
  const filterOf = (action: string): FilterNode | null => access?.scopeOf?.(USER_UID, action)?.filter ?? null;
  const isFound = async (filter: FilterNode | null): Promise<boolean> =>
    (await documents.findOne(publishedQuery(USER_UID, IDS_ONLY, { filter }), documentId)) !== null;
  const filter = filterOf('update');
  if (filter === null || (await isFound(filter))) return;
  const isVisible = access?.canFind(USER_UID) === true && (await isFound(filterOf('find')));
  throw createError(isVisible ? 'request/forbidden' : 'request/not-found');
};

/**
 * Updates a user. A new password ends all sessions; a new address revokes the codes sent to the old one.
 * Returns the JSON text of the record.
 *
 * @throws `request/not-found`, `auth/email-or-username-taken`, `request/invalid-values`,
 *   `request/invalid-key`
 */
export async function changeUser(
  context: Pick<AccountContext, 'users' | 'documents' | 'database'>,
  documentId: string,
  values: Readonly<Record<string, unknown>>,
  options: UserWriteOptions,
): Promise<string> {
  const user = await context.users.byDocumentId(documentId);
  if (user === null) throw createError('request/not-found');
  await assertUpdatable(context, documentId, options.access);
  const data = normaliseUser(values);
  await assertIdentifiersAvailable(context, data, user);
  const updated = await mapIdentifierConflict(() =>
    context.documents.update({ type: USER_UID, documentId, data, ...options }),
  );
  if (updated === null) throw createError('request/not-found');
  if (data['password'] !== undefined || data['blocked'] === true) await endUserSessions(context, documentId);
  await revokeStaleCodes(context, user, data);
  return updated.record;
}
