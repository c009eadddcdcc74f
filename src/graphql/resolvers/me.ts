import { fail } from '../../errors/catalogue.js';
import { parseSelection } from '../../query/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { parseRecord } from './root-field.js';
import type { RootResolver } from './root-field.js';

const USER_UID = 'plugin::users-permissions.user';

/** A user as shown to that user, with the role: no grant on roles is needed to see one's own. */
export async function readMe({ parts, limits }: GraphqlContext, documentId: string): Promise<unknown> {
  const { access, model, documents } = parts;
  const selection = parseSelection(model, USER_UID, { populate: { role: true } }, { access: { canFind: () => true }, limits });
  const query: ReadQuery = { type: USER_UID, filter: null, sort: [], selection, page: null, locale: access.locales.defaultCode(), status: 'published', hasPublishedVersion: null };
  const record = await documents.findOne(query, documentId);
  return record === null ? null : parseRecord(record);
}

/** `me`: the user who asks. Nobody else has one: an API token is no user. */
export const resolveMe: RootResolver = async (_source, _args, context) => {
  const { parts: { access }, caller } = context;
  access.authorise(caller, USER_UID, 'me');
  if (caller.kind !== 'user') throw fail('request/unauthorized');
  return readMe(context, caller.documentId);
};
