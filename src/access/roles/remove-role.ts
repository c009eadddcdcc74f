import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import { typeOf } from '../../model/lookup.js';
import type { ChangeOptions, RoleContext, RoleRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import { columnLinkOf, deletePermissions, findRole, roleTables } from './role-tables.js';
import { countNoun } from '../../lib/count-noun.js';

export interface RoleRemoval {
  /** Its type or name. */
  readonly role: string;
  /** Also removes a role that users have. They are left without a role. */
  readonly acceptDataLoss?: boolean;
}

export interface RemovedRole {
  readonly role: RoleRecord;
  /** The number of users that had the role. */
  readonly users: number;
}

const BUILTIN_ROLE_TYPES: ReadonlySet<string> = new Set(['public', 'authenticated']);

/**
 * Removes a role and its permissions. Its users keep their accounts and may do nothing until they get another
 * role.
 *
 * @throws `access/unknown-role`, `access/builtin-role-not-removable`, `access/role-in-use`
 */
export async function removeRole(
  { database, model }: RoleContext,
  removal: RoleRemoval,
  options: ChangeOptions = {},
): Promise<RemovedRole> {
  const tables = roleTables(model);
  const userType = typeOf(model, USER_UID);
  return changeAccess(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, removal.role);
      if (BUILTIN_ROLE_TYPES.has(role.type))
        throw createError('access/builtin-role-not-removable', { role: role.type });
      const users = await tx
        .model(userType.storage.version.model)
        .count({ where: { [columnLinkOf(userType, 'role').field]: role.documentId } });
      if (users > 0 && removal.acceptDataLoss !== true)
        throw createError('access/role-in-use', {
          role: role.type,
          users: countNoun(users, 'user'),
        });
      await deletePermissions(tx, tables, role);
      await tx.model(tables.role.document.model).deleteMany({ where: { documentId: role.documentId } });
      return { role, users };
    },
    options,
  );
}
