import type { AccessContext, RoleRecord } from '../access.js';
import { columnLinkOf, findRole, readRoles, roleTables } from '../roles/role-tables.js';
import { userType } from './user-attributes.js';

/** An API user as commands print it. */
export interface UserSummary {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  /** The role's type; null if the user has none. */
  readonly role: string | null;
}

const USER_SELECT = {
  id: true,
  documentId: true,
  username: true,
  email: true,
  confirmed: true,
  blocked: true,
} as const;

const toUserSummary = (
  row: Readonly<Record<string, unknown>>,
  field: string,
  roles: readonly RoleRecord[],
): UserSummary => ({
  id: Number(row['id']),
  documentId: String(row['documentId']),
  username: String(row['username']),
  email: String(row['email']),
  confirmed: row['confirmed'] === true,
  blocked: row['blocked'] === true,
  role: roles.find(({ documentId }) => documentId === row[field])?.type ?? null,
});

/**
 * Returns users in the order in which they were created: all, or those of one role. Throws
 * `access/unknown-role`.
 */
export async function listUsers(
  { database, model }: AccessContext,
  role?: string,
): Promise<readonly UserSummary[]> {
  const type = userType(model);
  const tables = roleTables(model);
  const { field } = columnLinkOf(type, 'role');
  return database.transact(async (tx) => {
    const roles = await readRoles(tx, tables);
    const where = role === undefined ? {} : { [field]: (await findRole(tx, tables, role)).documentId };
    const rows = await tx
      .model(type.storage.version.model)
      .findMany({ where, select: { ...USER_SELECT, [field]: true }, orderBy: { id: 'asc' } });
    return rows.map((row) => toUserSummary(row, field, roles));
  });
}
