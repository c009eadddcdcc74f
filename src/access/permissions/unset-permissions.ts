import type { AccessContext, ChangeOptions } from '../access.js';
import { changeAccess } from '../change-access.js';
import { withoutLastSegment } from '../../lib/uid.js';
import { resolveActions } from './actions.js';
import { findRole, lockRole, readRoleRules, roleTables, writeRoleRules } from '../roles/role-tables.js';
import type { PermissionChange, PermissionAssignment } from './set-permissions.js';

/**
 * Withdraws actions of one UID from a role, or all of them if none is named. Actions the role does not have
 * are ignored.
 *
 * @throws `access/unknown-role`, `access/unknown-action`
 */
export async function unsetPermissions(
  { database, model }: AccessContext,
  assignment: Pick<PermissionAssignment, 'role' | 'uid' | 'actions'>,
  options: ChangeOptions = {},
): Promise<PermissionChange> {
  const tables = roleTables(model);
  const actionsToRemove =
    assignment.actions.length === 0 ? null : resolveActions(model, assignment.uid, assignment.actions);
  return changeAccess(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, assignment.role);
      await lockRole(tx, tables, role);
      const rules = await readRoleRules(tx, tables, role);
      const granted = [...rules.keys()].filter((action) => withoutLastSegment(action) === assignment.uid);
      const removed = granted.filter(
        (action) => actionsToRemove === null || actionsToRemove.includes(action),
      );
      const delta = { added: [], removed, changed: [] };
      await writeRoleRules(tx, tables, role, delta, rules);
      return { role, ...delta, actions: granted.filter((action) => !removed.includes(action)) };
    },
    options,
  );
}
