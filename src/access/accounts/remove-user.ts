import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import { publishedQuery } from '../../query/parse/published-query.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import { revokeUserCodes } from './codes.js';
import type { AccountContext } from './account-context.js';
import { endUserSessions } from './sessions.js';

/**
 * Removes a user and ends everything that user signed in to. Returns false if there was no such user, or the
 * owner of `access` may not know of it.
 *
 * @throws `request/forbidden` for a user whom `access` shows, but does not let remove
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
export interface UserRemoval {
  readonly documentId: string;
  readonly access: ReadAccess;
  /** The parts of the record the caller asks for. */
  readonly selection: Selection;
  /** The locale of populated relations. */
  readonly locale: string;
}

const NO_SELECTION: Selection = { fields: [], populate: [] };

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
    (await context.documents.findOne({ ...query, selection: NO_SELECTION }, documentId));
  if (record === null || !(await removeUser(context, documentId, access)))
    throw createError('request/not-found');
  return record;
}
