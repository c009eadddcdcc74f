import type { AccessContext, RoleRecord } from '../access.js';
import { findRole, readRoleRules, readRoles, roleTables } from '../role-tables.js';
import type { RoleRules } from '../role-tables.js';

export interface RolePermissions {
  readonly role: RoleRecord;
  /** Full action names (`api::tag.tag.find`), sorted. */
  readonly actions: readonly string[];
  /** How far each of them goes. */
  readonly rules: RoleRules;
}

/** What each role may do, or one role by its type or name. Throws `access/unknown-role`. */
export async function listPermissions({ database, model }: AccessContext, role?: string): Promise<readonly RolePermissions[]> {
  const tables = roleTables(model);
  return database.transact(async (tx) => {
    const roles = role === undefined ? await readRoles(tx, tables) : [await findRole(tx, tables, role)];
    const permissions: RolePermissions[] = [];
    for (const found of roles) {
      const rules = await readRoleRules(tx, tables, found);
      permissions.push({ role: found, actions: [...rules.keys()], rules });
    }
    return permissions;
  });
}
