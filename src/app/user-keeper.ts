import { listLocales } from '../access/operations/list-locales.js';
import type { PeopleContext } from '../access/people/people.js';
import { compileUserReader } from '../access/user-reader.js';
import { createDocumentService } from '../documents/create-document-service.js';
import type { LocaleBook } from '../documents/documents.js';
import type { AccessContext } from '../access/access.js';

/** What users are made and changed with where nothing is served. */
export type UserKeeper = Pick<PeopleContext, 'database' | 'model' | 'documents' | 'users'>;

/** Opens a document service for users over a database that is open. */
export async function openUserKeeper(context: AccessContext): Promise<UserKeeper> {
  const { database, model } = context;
  const known = await listLocales(context);
  const locales: LocaleBook = {
    defaultCode: () => known.find(({ isDefault }) => isDefault)?.code ?? 'en',
    has: (code) => known.some((locale) => locale.code === code),
  };
  return { database, model, documents: createDocumentService({ database, model, locales }), users: compileUserReader(database, model) };
}
