import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import type { AccessContext, ChangeOptions, RoleRecord } from '../access.js';
import { change } from '../change.js';
import { columnLinkOf, findRole, readRoleRules, roleTables } from '../role-tables.js';

export interface RoleRemoval {
  /** Its type or name. */
  readonly role: string;
  /** Also where somebody has it, who is left without a role. */
  readonly acceptDataLoss?: boolean;
}

export interface RemovedRole {
  readonly role: RoleRecord;
  /** How many users had it. */
  readonly users: number;
}

const BUILTIN: ReadonlySet<string> = new Set(['public', 'authenticated']);

/**
 * Removes a role and its permissions. Users who have it keep their accounts and may do nothing until they get another one.
 *
 * @throws `access/unknown-role`, `access/builtin-role`, `access/role-in-use`
 */
export async function removeRole({ database, model }: AccessContext, removal: RoleRemoval, options: ChangeOptions = {}): Promise<RemovedRole> {
  const tables = roleTables(model);
  const userType = model.typesByUid[USER_UID];
  if (userType === undefined) throw new TypeError(`The model lacks ${USER_UID}.`);
  return change(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, removal.role);
      if (BUILTIN.has(role.type)) throw fail('access/builtin-role', { role: role.type });
      const users = await tx.model(userType.storage.version.model).count({ where: { [columnLinkOf(userType, 'role').field]: role.documentId } });
      if (users > 0 && removal.acceptDataLoss !== true) throw fail('access/role-in-use', { role: role.type, users: `${users} ${users === 1 ? 'user' : 'users'}` });
      if ((await readRoleRules(tx, tables, role)).size > 0) {
        const rows = await tx.model(tables.permission.version.model).findMany({ where: { [tables.roleField]: role.documentId }, select: { documentId: true } });
        await tx.model(tables.permission.anchor.model).deleteMany({ where: { documentId: { in: rows.map((row) => row['documentId']) } } });
      }
      await tx.model(tables.role.anchor.model).deleteMany({ where: { documentId: role.documentId } });
      return { role, users };
    },
    options,
  );
}
