import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { resolveActionNames } from '../permissions/actions.js';
import type { ChangeOptions, RoleContext, RoleRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import {
  compareRules,
  findRole,
  lockRole,
  readRoleRules,
  readRoles,
  roleTables,
  writeRoleRules,
} from './role-tables.js';
import type { RoleRules, RoleTables } from './role-tables.js';
import { writeRoleUsers } from './role-users.js';
import type { RoleUsers } from './role-users.js';
import { UNLIMITED } from '../permissions/rules.js';
import { assertRoleDescription, parseRoleName } from './create-role.js';

export interface RoleChange {
  /** Its type or name. */
  readonly role: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Full names of all actions it may do; default: as before. Actions it has keep their limits. */
  readonly actions?: readonly string[] | undefined;
  /** The users who have it; default: as before. All others are left without a role. */
  readonly users?: RoleUsers | undefined;
}

/** Roles can be named by their names too, so these must be unique. */
const assertUniqueRoleName = async (
  tx: Transaction,
  tables: RoleTables,
  role: RoleRecord,
  name: string,
): Promise<void> => {
  await tx.lock('roles');
  const lowerName = name.toLowerCase();
  const other = (await readRoles(tx, tables)).find(
    ({ documentId, type, name: otherName }) =>
      documentId !== role.documentId && (type === lowerName || otherName.toLowerCase() === lowerName),
  );
  if (other !== undefined) throw createError('access/role-exists', { role: other.type });
};

/**
 * Updates a role: its name, description, permissions and users.
 *
 * @throws `access/unknown-role`, `access/invalid-role`, `access/role-exists`, `access/unknown-action`,
 *   `access/unknown-user`
 */
export async function updateRole(
  { database, model }: RoleContext,
  input: RoleChange,
  options: ChangeOptions = {},
): Promise<RoleRecord> {
  const tables = roleTables(model);
  const actions = input.actions === undefined ? null : resolveActionNames(model, input.actions);
  const newName = input.name === undefined ? null : parseRoleName(input.name);
  if (input.description !== undefined) assertRoleDescription(input.description);
  return changeAccess(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, input.role);
      if (newName !== null) await assertUniqueRoleName(tx, tables, role, newName);
      await lockRole(tx, tables, role);
      const name = newName ?? role.name;
      const { description = role.description } = input;
      await tx.model(tables.role.version.model).updateMany({
        where: { documentId: role.documentId },
        data: { name, description, updatedAt: new Date() },
      });
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
