import type { RoleContext, RoleRecord } from '../access.js';
import { findRole, readRoleRules, readRoles, roleTables } from '../roles/role-tables.js';
import type { RoleRules } from '../roles/role-tables.js';

export interface RolePermissions {
  readonly role: RoleRecord;
  /** Full action names (`api::tag.tag.find`), sorted. */
  readonly actions: readonly string[];
  /** The limits of each action. */
  readonly rules: RoleRules;
}

/** Returns what each role may do, or the role with a type or name. Throws `access/unknown-role`. */
export async function listPermissions(
  { database, model }: RoleContext,
  role?: string,
): Promise<readonly RolePermissions[]> {
  const tables = roleTables(model);
  return database.transact(async (tx) => {
    const roles = role === undefined ? await readRoles(tx, tables) : [await findRole(tx, tables, role)];
    const permissions: RolePermissions[] = [];
    for (const listedRole of roles) {
      const rules = await readRoleRules(tx, tables, listedRole);
      permissions.push({ role: listedRole, actions: [...rules.keys()], rules });
    }
    return permissions;
  });
}
