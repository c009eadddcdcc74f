import { USER_UID } from '../../content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import type { UserState } from './user-reader.js';
import { revokeUserCodes } from './codes.js';
import { assertIdentifiersAvailable, normaliseUser, mapIdentifierConflict } from './create-user.js';
import type { AccountContext, UserWriteOptions } from './account-context.js';
import { endUserSessions } from './sessions.js';

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
