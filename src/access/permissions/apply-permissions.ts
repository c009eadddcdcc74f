import type { Transaction } from '../../database/database.js';
import type { AccessContext, ChangeOptions } from '../access.js';
import { changeAccess } from '../change-access.js';
import type { RoleDefinition } from './permission-file.js';
import {
  compareRules,
  deletePermissions,
  lockRole,
  readRoleRules,
  readRoles,
  roleTables,
  writeRoleRules,
} from '../roles/role-tables.js';
import type { RoleTables } from '../roles/role-tables.js';
import { insertRole } from '../roles/create-role.js';

/** All roles before and after the change, in the order in which they are stored. */
export interface AppliedPermissions {
  readonly before: readonly RoleDefinition[];
  readonly after: readonly RoleDefinition[];
}

const readRoleDefinitions = async (
  tx: Transaction,
  tables: RoleTables,
): Promise<readonly RoleDefinition[]> => {
  const definitions: RoleDefinition[] = [];
  for (const role of await readRoles(tx, tables)) {
    definitions.push({
      type: role.type,
      name: role.name,
      description: role.description,
      rules: await readRoleRules(tx, tables, role),
    });
  }
  return definitions;
};

const applyRole = async (
  tx: Transaction,
  tables: RoleTables,
  { rules, ...definition }: RoleDefinition,
): Promise<void> => {
  const role = (await readRoles(tx, tables)).find(({ type }) => type === definition.type);
  if (role === undefined) {
    await insertRole(tx, tables, definition, rules);
    return;
  }
  await lockRole(tx, tables, role);
  const { name, description } = definition;
  if (role.name !== name || role.description !== description) {
    await tx.model(tables.role.version.model).updateMany({
      where: { documentId: role.documentId },
      data: { name, description, updatedAt: new Date() },
    });
  }
  const before = await readRoleRules(tx, tables, role);
  await writeRoleRules(tx, tables, role, compareRules(before, rules), rules);
};

/** Returns all roles with their permissions. */
export async function exportPermissions({
  database,
  model,
}: AccessContext): Promise<readonly RoleDefinition[]> {
  return database.transact((tx) => readRoleDefinitions(tx, roleTables(model)));
}

interface ApplyOptions extends ChangeOptions {
  /** True if roles without a definition lose all their grants. */
  readonly prune?: boolean;
}

/** Withdraws everything from the roles that have no definition. The roles themselves stay. */
const pruneOthers = async (
  tx: Transaction,
  tables: RoleTables,
  defined: readonly RoleDefinition[],
): Promise<void> => {
  const types = new Set(defined.map(({ type }) => type));
  for (const role of (await readRoles(tx, tables)).filter(({ type }) => !types.has(type))) {
    await lockRole(tx, tables, role);
    await deletePermissions(tx, tables, role);
  }
};

/**
 * Makes roles match their definitions: creates missing roles, and grants each exactly what is defined. Roles
 * without a definition stay as they are, or are pruned.
 */
export async function applyPermissions(
  { database, model }: AccessContext,
  roles: readonly RoleDefinition[],
  { prune = false, ...options }: ApplyOptions = {},
): Promise<AppliedPermissions> {
  const tables = roleTables(model);
  return changeAccess(
    database,
    async (tx) => {
      const before = await readRoleDefinitions(tx, tables);
      for (const role of roles) await applyRole(tx, tables, role);
      if (prune) await pruneOthers(tx, tables, roles);
      return { before, after: await readRoleDefinitions(tx, tables) };
    },
    options,
  );
}
