import type { Transaction } from '../database/database.js';
import { createDocumentId } from '../lib/document-id.js';
import type { AccessContext } from './access.js';
import { readAccessVersion, bumpAccessVersion } from './change-access.js';
import { insertDocuments, readRoles, roleTables } from './roles/role-tables.js';
import type { RoleTables } from './roles/role-tables.js';

/** Names, descriptions and order are Strapi's, because its clients show them. */
const BUILTIN_ROLES = [
  { name: 'Authenticated', description: 'Default role given to authenticated user.', type: 'authenticated' },
  { name: 'Public', description: 'Default role given to unauthenticated user.', type: 'public' },
] as const;

const createRoles = async (tx: Transaction, tables: RoleTables): Promise<void> => {
  const existing = new Set((await readRoles(tx, tables)).map(({ type }) => type));
  await insertDocuments(
    tx,
    tables.role,
    BUILTIN_ROLES.filter(({ type }) => !existing.has(type)),
  );
};

const createDefaultLocale = async (
  tx: Transaction,
  locale: { readonly code: string; readonly name: string },
): Promise<void> => {
  if ((await tx.model('Locale').count({})) > 0) return;
  await tx.model('Locale').create({ data: { documentId: createDocumentId(), ...locale, isDefault: true } });
};

/**
 * Creates the built-in roles and the default locale. Does nothing in a database that has an access version.
 * If two processes start together, the unique locale code makes one of them fail, which is ignored once the
 * other has succeeded.
 */
export async function bootstrapAccess(
  { database, model }: Pick<AccessContext, 'database' | 'model'>,
  locale: { readonly code: string; readonly name: string },
): Promise<void> {
  if ((await readAccessVersion(database)) !== null) return;
  const tables = roleTables(model);
  const work = async (tx: Transaction): Promise<void> => {
    await createDefaultLocale(tx, locale);
    await createRoles(tx, tables);
    await bumpAccessVersion(tx);
  };
  await database.transact(work).catch(async (error: unknown) => {
    if ((await readAccessVersion(database)) === null) throw error;
  });
}
