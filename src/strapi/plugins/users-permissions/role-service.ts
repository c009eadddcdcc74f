import { listActionGroups } from '../../../access/permissions/actions.js';
import { listPermissions } from '../../../access/permissions/list-permissions.js';
import { createRole } from '../../../access/roles/create-role.js';
import { requireRoleById } from '../../../access/roles/find-roles.js';
import { removeRole } from '../../../access/roles/remove-role.js';
import { updateRole } from '../../../access/roles/update-role.js';
import type { RoleRecord } from '../../../access/access.js';
import { ROLE_UID, USER_UID } from '../../../model/content-types/builtin/registry.js';
import { parsePermissionTree, printPermissionTree } from '../../../api/rest/accounts/permission-tree.js';
import { assertParams, SERVICE_PARAMS } from '../../database/call-params.js';
import type { Entry, PluginHost } from '../plugin-host.js';

/** The data of a role, in the form of code written for Strapi. */
interface RoleParams {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly permissions?: unknown;
}

const assertKnown = (method: string, params: RoleParams): void =>
  assertParams(
    {
      call: `strapi.plugin('users-permissions').service('role').${method}`,
      options: SERVICE_PARAMS['users-permissions.role createRole, updateRole'],
    },
    params,
  );

const actionsOf = ({ permissions }: RoleParams): readonly string[] | undefined =>
  permissions === undefined ? undefined : parsePermissionTree(permissions);

/** Creates the service `role` of users-permissions. Roles are changed as by `cms role`. */
export function createRoleService({ model, database, query }: PluginHost) {
  const context = { model, database };
  const requireRole = (id: unknown): Promise<RoleRecord> => requireRoleById(context, String(id));
  return {
    find: async (): Promise<readonly Entry[]> => {
      const roles = await query(ROLE_UID).findMany({ orderBy: { id: 'asc' } });
      const counts = roles.map(({ id }) => query(USER_UID).count({ where: { role: { id } } }));
      const numbers = await Promise.all(counts);
      return roles.map((role, index) => ({ ...role, nb_users: numbers[index] }));
    },
    findOne: async (id: unknown): Promise<unknown> => {
      const role = await requireRole(id);
      const row = await query(ROLE_UID).findOne({ where: { documentId: role.documentId } });
      const [{ actions } = { actions: [] }] = await listPermissions(context, role.type);
      return { ...row, permissions: printPermissionTree(listActionGroups(model), actions) };
    },
    createRole: async (params: RoleParams): Promise<void> => {
      assertKnown('createRole', params);
      const { name = '', description, type } = params;
      await createRole(context, { name, description, type, actions: actionsOf(params) });
    },
    updateRole: async (id: unknown, params: RoleParams): Promise<void> => {
      assertKnown('updateRole', params);
      const { type } = await requireRole(id);
      const { name, description } = params;
      await updateRole(context, { role: type, name, description, actions: actionsOf(params) });
    },
    deleteRole: async (id: unknown, heirId?: unknown): Promise<void> => {
      const { type, documentId } = await requireRole(id);
      if (heirId !== undefined) {
        const users = await query(USER_UID).findMany({ where: { role: { documentId } } });
        for (const user of users)
          await query(USER_UID).update({ where: { id: user.id }, data: { role: heirId } });
      }
      await removeRole(context, { role: type, acceptDataLoss: true });
    },
  };
}
