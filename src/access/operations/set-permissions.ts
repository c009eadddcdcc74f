import type { AccessContext, ChangeOptions, RoleRecord } from '../access.js';
import { resolveActions } from '../actions.js';
import { change } from '../change.js';
import { compareRules, findRole, lockRole, readRoleRules, roleTables, writeRoleRules } from '../role-tables.js';
import type { RulesDelta } from '../role-tables.js';
import { checkRule, UNLIMITED } from '../rules.js';
import type { PermissionRule } from '../rules.js';

export interface PermissionList {
  /** The role's type (`public`) or name. */
  readonly role: string;
  /** A content-type or a plugin's controller. */
  readonly uid: string;
  /** Short action names (`find`); `*` stands for all that the uid has. */
  readonly actions: readonly string[];
  /** How far these actions go; unset: without limits. `kept`: as far as before, where they were granted before. */
  readonly rule?: PermissionRule | 'kept';
  /** Leaves what the role may do otherwise on that uid as it is, instead of withdrawing it. */
  readonly keepsOthers?: boolean;
}

export interface PermissionChange extends RulesDelta {
  readonly role: RoleRecord;
  /** What the role may do on that uid afterwards. */
  readonly actions: readonly string[];
}

const uidOf = (action: string): string => action.slice(0, action.lastIndexOf('.'));

/**
 * States the whole list of what a role may do on one uid: grants what is missing and withdraws what is not in the list.
 *
 * @throws `access/unknown-role`, `access/unknown-action`, `access/invalid-rule`
 */
export async function setPermissions({ database, model }: AccessContext, list: PermissionList, options: ChangeOptions = {}): Promise<PermissionChange> {
  const tables = roleTables(model);
  const { rule = UNLIMITED, keepsOthers = false } = list;
  const named = resolveActions(model, list.uid, list.actions).map((action) => [action, rule === 'kept' ? null : checkRule(model, action, rule)] as const);
  return change(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, list.role);
      await lockRole(tx, tables, role);
      const granted = new Map([...(await readRoleRules(tx, tables, role))].filter(([action]) => uidOf(action) === list.uid));
      const stated = named.map(([action, own]) => [action, own ?? granted.get(action) ?? UNLIMITED] as const);
      const wanted = new Map([...(keepsOthers ? granted : []), ...stated]);
      const delta = compareRules(granted, wanted);
      await writeRoleRules(tx, tables, role, delta, wanted);
      return { role, ...delta, actions: [...wanted.keys()].toSorted() };
    },
    options,
  );
}
