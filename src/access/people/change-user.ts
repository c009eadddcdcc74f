import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import type { UserState } from '../user-reader.js';
import { endCodesOf } from './codes.js';
import { assertFree, normaliseUser, writingUser } from './create-user.js';
import type { PeopleContext, UserAnswer } from './people.js';
import { endSessionsOf } from './sessions.js';

/** Codes were sent to the address of then, and must not speak for that of now. */
const endCodes = async (context: Pick<PeopleContext, 'database'>, user: UserState, { email, password }: Readonly<Record<string, unknown>>): Promise<void> => {
  if (email !== undefined && email !== user.email) await endCodesOf(context, user.documentId);
  else if (password !== undefined) await endCodesOf(context, user.documentId, 'reset-password');
};

/**
 * Changes what was sent of a user. A new password ends everything signed in with the old one, and another address the codes sent to the old one.
 * Answers the record.
 *
 * @throws `request/not-found`, `auth/taken`, `request/invalid-values`, `request/invalid-key`
 */
export async function changeUser(context: Pick<PeopleContext, 'users' | 'documents' | 'database'>, documentId: string, values: Readonly<Record<string, unknown>>, answer: UserAnswer): Promise<string> {
  const user = await context.users.byDocumentId(documentId);
  if (user === null) throw fail('request/not-found');
  const data = normaliseUser(values);
  await assertFree(context, [data['username'], data['email']], user.id);
  const updated = await writingUser(() => context.documents.update({ type: USER_UID, documentId, data, ...answer }));
  if (updated === null) throw fail('request/not-found');
  if (data['password'] !== undefined || data['blocked'] === true) await endSessionsOf(context, documentId);
  await endCodes(context, user, data);
  return updated.record;
}
