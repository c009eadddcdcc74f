import type { AccessContext, ChangeOptions } from '../access.js';
import { change } from '../change.js';
import { resolveActions } from '../actions.js';
import { findRole, lockRole, readRoleRules, roleTables, writeRoleRules } from '../role-tables.js';
import type { PermissionChange, PermissionList } from './set-permissions.js';

/**
 * Withdraws actions of one uid from a role; no actions named: all of them. What the role does not have is no fault.
 *
 * @throws `access/unknown-role`, `access/unknown-action`
 */
export async function unsetPermissions({ database, model }: AccessContext, list: Pick<PermissionList, 'role' | 'uid' | 'actions'>, options: ChangeOptions = {}): Promise<PermissionChange> {
  const tables = roleTables(model);
  const unwanted = list.actions.length === 0 ? null : resolveActions(model, list.uid, list.actions);
  return change(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, list.role);
      await lockRole(tx, tables, role);
      const rules = await readRoleRules(tx, tables, role);
      const granted = [...rules.keys()].filter((action) => action.slice(0, action.lastIndexOf('.')) === list.uid);
      const removed = granted.filter((action) => unwanted === null || unwanted.includes(action));
      const delta = { added: [], removed, changed: [] };
      await writeRoleRules(tx, tables, role, delta, rules);
      return { role, ...delta, actions: granted.filter((action) => !removed.includes(action)) };
    },
    options,
  );
}
