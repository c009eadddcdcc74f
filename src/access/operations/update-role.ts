import { resolveActionNames } from '../actions.js';
import type { AccessContext, ChangeOptions, RoleRecord } from '../access.js';
import { change } from '../change.js';
import { compareRules, findRole, lockRole, readRoleRules, roleTables, writeRoleRules } from '../role-tables.js';
import type { RoleRules } from '../role-tables.js';
import { writeRoleUsers } from '../role-users.js';
import type { RoleUsers } from '../role-users.js';
import { UNLIMITED } from '../rules.js';

export interface RoleChange {
  /** Its type or name. */
  readonly role: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Full names of all that it may do; unset: as before. What it may do already keeps its limits. */
  readonly actions?: readonly string[] | undefined;
  /** Who has it; unset: as before. Whoever is not named is left without a role. */
  readonly users?: RoleUsers | undefined;
}

/** Changes a role's name, description and what it may do, and who has it. Throws `access/unknown-role`, `access/unknown-action`, `access/unknown-user`. */
export async function updateRole({ database, model }: AccessContext, input: RoleChange, options: ChangeOptions = {}): Promise<RoleRecord> {
  const tables = roleTables(model);
  const actions = input.actions === undefined ? null : resolveActionNames(model, input.actions);
  return change(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, input.role);
      await lockRole(tx, tables, role);
      const { name = role.name, description = role.description } = input;
      await tx.model(tables.role.version.model).updateMany({ where: { documentId: role.documentId }, data: { name, description, updatedAt: new Date() } });
      if (actions !== null) {
        const before = await readRoleRules(tx, tables, role);
        const after: RoleRules = new Map(actions.map((action) => [action, before.get(action) ?? UNLIMITED]));
        await writeRoleRules(tx, tables, role, compareRules(before, after), after);
      }
      if (input.users !== undefined) await writeRoleUsers(tx, model, role, input.users);
      return { ...role, name, description };
    },
    options,
  );
}
