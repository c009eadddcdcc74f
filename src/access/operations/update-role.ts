import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import { resolveActionNames } from '../actions.js';
import type { AccessContext, ChangeOptions, RoleRecord } from '../access.js';
import { change } from '../change.js';
import { compareRules, findRole, lockRole, readRoleRules, readRoles, roleTables, writeRoleRules } from '../role-tables.js';
import type { RoleRules, RoleTables } from '../role-tables.js';
import { writeRoleUsers } from '../role-users.js';
import type { RoleUsers } from '../role-users.js';
import { UNLIMITED } from '../rules.js';
import { assertRoleDescription, checkRoleName } from './create-role.js';

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

/** Roles are also told by their names, so no two have one. */
const assertOwnName = async (tx: Transaction, tables: RoleTables, role: RoleRecord, name: string): Promise<void> => {
  await tx.lock('roles');
  const wanted = name.toLowerCase();
  const other = (await readRoles(tx, tables)).find(({ documentId, type, name: own }) => documentId !== role.documentId && (type === wanted || own.toLowerCase() === wanted));
  if (other !== undefined) throw fail('access/role-exists', { role: other.type });
};

/**
 * Changes a role's name, description and what it may do, and who has it.
 *
 * @throws `access/unknown-role`, `access/invalid-role`, `access/role-exists`, `access/unknown-action`, `access/unknown-user`
 */
export async function updateRole({ database, model }: AccessContext, input: RoleChange, options: ChangeOptions = {}): Promise<RoleRecord> {
  const tables = roleTables(model);
  const actions = input.actions === undefined ? null : resolveActionNames(model, input.actions);
  const changed = input.name === undefined ? null : checkRoleName(input.name);
  if (input.description !== undefined) assertRoleDescription(input.description);
  return change(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, input.role);
      if (changed !== null) await assertOwnName(tx, tables, role, changed);
      await lockRole(tx, tables, role);
      const name = changed ?? role.name;
      const { description = role.description } = input;
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
