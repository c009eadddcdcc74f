import { listActionGroups } from '../../../access/permissions/actions.js';
import { USER_UID } from '../../../model/content-types/builtin/registry.js';
import { printPermissionTree } from '../../../api/rest/accounts/permission-tree.js';
import { interpolate } from '../../../lib/interpolate.js';
import type { Entry, PluginHost } from '../plugin-host.js';

/** Creates the service `users-permissions` of the plugin of that name. */
export function createPermissionsService({ model, query }: PluginHost) {
  return {
    getActions: ({ defaultEnable = false } = {}): unknown => {
      const groups = listActionGroups(model);
      const granted = defaultEnable
        ? groups.flatMap(({ uid, actions }) => actions.map((action) => `${uid}.${action}`))
        : [];
      return printPermissionTree(groups, granted);
    },
    /** Roles and what they may do are there from the first migration on, and are never taken away. */
    initialize: async (): Promise<void> => undefined,
    syncPermissions: async (): Promise<void> => undefined,
    updateUserRole: ({ id }: Entry, role: unknown): Promise<Entry | null> =>
      query(USER_UID).update({ where: { id }, data: { role } }),
    template: interpolate,
  };
}
