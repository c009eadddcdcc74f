import { sql } from 'kysely';
import { ROLE_UID } from '../../model/content-types/builtin/registry.js';
import { readRoles, roleTables } from '../../access/roles/role-tables.js';
import type { Transaction } from '../../database/database.js';
import type { EntityRecord, ContentSource } from '../source.js';
import type { ImportTarget } from './target.js';

const rolesOf = async (source: ContentSource): Promise<readonly EntityRecord[]> => {
  const roles: EntityRecord[] = [];
  for await (const record of source.entities()) if (record.type === ROLE_UID) roles.push(record);
  return roles;
};

/**
 * Gives roles that have the type of an imported one its document id, so that users and permissions of both
 * are of one role. Returns the imported roles that the database had.
 */
export async function adoptRoles(
  { database, model }: ImportTarget,
  tx: Transaction,
  source: ContentSource,
): Promise<readonly string[]> {
  const tables = roleTables(model);
  const { expressions } = database.dialect;
  const existing = await readRoles(tx, tables);
  const table = sql.id(tables.role.document.table);
  const adopted: string[] = [];
  for (const { data } of await rolesOf(source)) {
    const role = existing.find(({ type }) => type === data['type']);
    const documentId = data['documentId'];
    if (role === undefined || typeof documentId !== 'string') continue;
    adopted.push(documentId);
    if (role.documentId === documentId) continue;
    // The database changes what refers to the document along with it.
    const [to, from] = [documentId, role.documentId].map((id) => expressions.parameter('text', id));
    const rename = sql`update ${table} set document_id = ${to} where document_id = ${from}`;
    const { sql: text, parameters } = rename.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
  return adopted;
}

/** Deletes the permissions of roles whose permissions are those of the export. Returns their document ids. */
export async function clearPermissions(
  { model }: ImportTarget,
  tx: Transaction,
  adopted: readonly string[],
): Promise<readonly string[]> {
  const tables = roleTables(model);
  const rows = await tx
    .model(tables.permission.version.model)
    .findMany({ where: { [tables.roleField]: { in: [...adopted] } }, select: { documentId: true } });
  const documentIds = rows.map((row) => String(row['documentId']));
  await tx.model(tables.permission.document.model).deleteMany({ where: { documentId: { in: documentIds } } });
  return documentIds;
}

/** Deletes permissions that a role has twice, since it had them before the import. */
export async function mergePermissions({ model }: ImportTarget, tx: Transaction): Promise<void> {
  const tables = roleTables(model);
  const permissions = await tx.model(tables.permission.version.model).findMany({
    select: { documentId: true, action: true, [tables.roleField]: true },
    orderBy: { id: 'asc' },
  });
  const seen = new Set<string>();
  const repeated = permissions.filter((row) => {
    const key = `${String(row[tables.roleField])} ${String(row['action'])}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  });
  await tx
    .model(tables.permission.document.model)
    .deleteMany({ where: { documentId: { in: repeated.map((row) => row['documentId']) } } });
}
