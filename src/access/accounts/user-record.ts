import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentModel } from '../../model/model.js';
import { defaultSelection } from '../../query/parse/default-selection.js';
import { publishedQuery } from '../../query/parse/published-query.js';
import type { Selection } from '../../query/query.js';
import type { AccountContext } from './account-context.js';

/** The default selection of a user's record: everything that is not private. */
export function userSelection(model: ContentModel): Selection {
  return defaultSelection(model, USER_UID);
}

/** Returns the JSON text of a user's record. Throws `request/unauthorized` if the user no longer exists. */
export async function readUserRecord(
  { documents, model }: Pick<AccountContext, 'documents' | 'model'>,
  documentId: string,
): Promise<string> {
  const record = await documents.findOne(publishedQuery(USER_UID, userSelection(model)), documentId);
  if (record === null) throw createError('request/unauthorized');
  return record;
}

/** Updates a user on behalf of the server. Throws `request/unauthorized` if the user no longer exists. */
export async function writeUser(
  { documents, model }: Pick<AccountContext, 'documents' | 'model'>,
  documentId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const updated = await documents.update({
    type: USER_UID,
    documentId,
    data,
    selection: userSelection(model),
  });
  if (updated === null) throw createError('request/unauthorized');
}
