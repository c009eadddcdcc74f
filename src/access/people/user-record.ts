import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel } from '../../model/model.js';
import { defaultSelection } from '../../query/default-selection.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import type { PeopleContext } from './people.js';

/** What is answered of a user whose record was not asked for in particular: all that is not private. */
export function userSelection(model: ContentModel): Selection {
  return defaultSelection(model, USER_UID);
}

/** JSON text of one user's record. */
export async function readUserRecord({ documents, model }: Pick<PeopleContext, 'documents' | 'model'>, documentId: string): Promise<string> {
  const query: ReadQuery = { type: USER_UID, filter: null, sort: [], selection: userSelection(model), page: null, locale: NO_LOCALE, status: 'published', hasPublishedVersion: null };
  const record = await documents.findOne(query, documentId);
  if (record === null) throw fail('request/unauthorized');
  return record;
}

/** Changes a user on behalf of the server itself. */
export async function writeUser({ documents, model }: Pick<PeopleContext, 'documents' | 'model'>, documentId: string, data: Readonly<Record<string, unknown>>): Promise<void> {
  const updated = await documents.update({ type: USER_UID, documentId, data, selection: userSelection(model) });
  if (updated === null) throw fail('request/unauthorized');
}
