import { USER_UID } from '../../content-types/builtin/registry.js';
import type { ReadAccess } from '../../query/query.js';
import { endCodesOf } from './codes.js';
import type { PeopleContext } from './people.js';
import { endSessionsOf } from './sessions.js';

/** Removes a user; whatever was signed in ends with it. False: there was none. */
export async function removeUser(context: Pick<PeopleContext, 'documents' | 'database'>, documentId: string, access?: ReadAccess): Promise<boolean> {
  const isRemoved = await context.documents.delete({ type: USER_UID, documentId, access });
  await endSessionsOf(context, documentId);
  await endCodesOf(context, documentId);
  return isRemoved;
}
