import type { Transaction } from '../database/database.js';
import { createDocumentId } from '../lib/document-id.js';
import type { AccessContext } from './access.js';
import { readStamp, writeStamp } from './change.js';
import { insertDocuments, readRoles, roleTables } from './role-tables.js';
import type { RoleTables } from './role-tables.js';

/** Wording and order are the peer's, which its clients show. */
const BUILTIN_ROLES = [
  { name: 'Authenticated', description: 'Default role given to authenticated user.', type: 'authenticated' },
  { name: 'Public', description: 'Default role given to unauthenticated user.', type: 'public' },
] as const;

const createRoles = async (tx: Transaction, tables: RoleTables): Promise<void> => {
  const existing = new Set((await readRoles(tx, tables)).map(({ type }) => type));
  await insertDocuments(tx, tables.role, BUILTIN_ROLES.filter(({ type }) => !existing.has(type)));
};

const createDefaultLocale = async (tx: Transaction, locale: { readonly code: string; readonly name: string }): Promise<void> => {
  if ((await tx.model('Locale').count({})) > 0) return;
  await tx.model('Locale').create({ data: { documentId: createDocumentId(), ...locale, isDefault: true } });
};

/**
 * Makes sure that the roles and the default locale are there. Runs once per database: a stamp says that it has.
 * Two processes that start together both come here; the unique locale code lets one of them win, and the other finds everything done.
 */
export async function bootstrapAccess({ database, model }: Pick<AccessContext, 'database' | 'model'>, locale: { readonly code: string; readonly name: string }): Promise<void> {
  if ((await readStamp(database)) !== null) return;
  const tables = roleTables(model);
  const work = async (tx: Transaction): Promise<void> => {
    await createDefaultLocale(tx, locale);
    await createRoles(tx, tables);
    await writeStamp(tx);
  };
  await database.transact(work).catch(async (error: unknown) => {
    if ((await readStamp(database)) === null) throw error;
  });
}
