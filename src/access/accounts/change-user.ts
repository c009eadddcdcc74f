import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import { publishedQuery } from '../../query/parse/published-query.js';
import type { FilterNode, Selection } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { UserState } from './user-reader.js';
import { revokeUserCodes } from './codes.js';
import { assertIdentifiersAvailable, normaliseUser, mapIdentifierConflict } from './create-user.js';
import type { AccountContext, UserWriteOptions } from './account-context.js';
import { endUserSessions } from './sessions.js';

const IDS_ONLY: Selection = { fields: [], populate: [] };

/** Codes were sent to the previous address, and must not be valid for the new one. */
const revokeStaleCodes = async (
  context: Pick<AccountContext, 'database'>,
  user: UserState,
  { email, password }: Readonly<Record<string, unknown>>,
): Promise<void> => {
  if (email !== undefined && email !== user.email) await revokeUserCodes(context, user.documentId);
  else if (password !== undefined) await revokeUserCodes(context, user.documentId, 'reset-password');
};

/**
 * Checks that a caller may update a user, before anything that is answered tells of this one.
 *
 * @throws `request/not-found` for a user that the caller cannot read either, `request/forbidden`
 */
const assertWithinReach = async (
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
 * Updates a user. A new password ends everything signed in with the old one; a new address ends the codes
 * sent to the old one. Returns the JSON text of the record.
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
  await assertWithinReach(context, documentId, options.access);
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
