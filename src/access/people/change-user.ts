import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { assertFree, normaliseUser, writingUser } from './create-user.js';
import type { PeopleContext, UserAnswer } from './people.js';
import { endSessionsOf } from './sessions.js';

/**
 * Changes what was sent of a user. A new password ends everything signed in with the old one. Answers the record.
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
  return updated.record;
}
