import type { Transaction } from '../../database/database.js';
import type { AccessContext, ChangeOptions } from '../access.js';
import { change } from '../change.js';
import type { StatedRole } from '../permission-file.js';
import { compareRules, lockRole, readRoleRules, readRoles, roleTables, writeRoleRules } from '../role-tables.js';
import type { RoleTables } from '../role-tables.js';
import { insertRole } from './create-role.js';

/** All roles as they were before and are after, sorted as they are stored. */
export interface AppliedPermissions {
  readonly before: readonly StatedRole[];
  readonly after: readonly StatedRole[];
}

const readStated = async (tx: Transaction, tables: RoleTables): Promise<readonly StatedRole[]> => {
  const stated: StatedRole[] = [];
  for (const role of await readRoles(tx, tables)) {
    stated.push({ type: role.type, name: role.name, description: role.description, rules: await readRoleRules(tx, tables, role) });
  }
  return stated;
};

const applyRole = async (tx: Transaction, tables: RoleTables, { rules, ...stated }: StatedRole): Promise<void> => {
  const role = (await readRoles(tx, tables)).find(({ type }) => type === stated.type);
  if (role === undefined) {
    await insertRole(tx, tables, stated, rules);
    return;
  }
  await lockRole(tx, tables, role);
  const { name, description } = stated;
  if (role.name !== name || role.description !== description) {
    await tx.model(tables.role.version.model).updateMany({ where: { documentId: role.documentId }, data: { name, description, updatedAt: new Date() } });
  }
  const before = await readRoleRules(tx, tables, role);
  await writeRoleRules(tx, tables, role, compareRules(before, rules), rules);
};

/** All roles with what they may do. */
export async function exportPermissions({ database, model }: AccessContext): Promise<readonly StatedRole[]> {
  return database.transact((tx) => readStated(tx, roleTables(model)));
}

/** Makes roles what is stated of them: made where they are missing, granted that and no more. Roles nothing is stated of stay as they are. */
export async function applyPermissions({ database, model }: AccessContext, roles: readonly StatedRole[], options: ChangeOptions = {}): Promise<AppliedPermissions> {
  const tables = roleTables(model);
  return change(
    database,
    async (tx) => {
      const before = await readStated(tx, tables);
      for (const role of roles) await applyRole(tx, tables, role);
      return { before, after: await readStated(tx, tables) };
    },
    options,
  );
}
