import type { AccessContext, ChangeOptions, RoleRecord } from '../access.js';
import { resolveActions } from './actions.js';
import { changeAccess } from '../change-access.js';
import { withoutLastSegment } from '../../lib/uid.js';
import {
  compareRules,
  findRole,
  lockRole,
  readRoleRules,
  roleTables,
  writeRoleRules,
} from '../roles/role-tables.js';
import type { RulesDelta } from '../roles/role-tables.js';
import { normaliseRule, UNLIMITED } from './rules.js';
import type { PermissionRule } from './rules.js';

export interface PermissionAssignment {
  /** The role's type (`public`) or name. */
  readonly role: string;
  /** A content type or a plugin's controller. */
  readonly uid: string;
  /** Short action names (`find`); `*` stands for all actions of the UID. */
  readonly actions: readonly string[];
  /**
   * The limits of these actions; default: none. `unchanged`: actions that were granted before keep their
   * limits.
   */
  readonly rule?: PermissionRule | 'unchanged';
  /** Keeps the role's other actions of that UID instead of withdrawing them. */
  readonly keepOthers?: boolean;
}

export interface PermissionChange extends RulesDelta {
  readonly role: RoleRecord;
  /** The role's actions of that UID after the change. */
  readonly actions: readonly string[];
}

/**
 * Sets the actions of one UID that a role may do: grants those that are missing and withdraws all others.
 *
 * @throws `access/unknown-role`, `access/unknown-action`, `access/invalid-permission-rule`
 */
export async function setPermissions(
  { database, model }: AccessContext,
  assignment: PermissionAssignment,
  options: ChangeOptions = {},
): Promise<PermissionChange> {
  const tables = roleTables(model);
  const { rule = UNLIMITED, keepOthers = false } = assignment;
  const requestedRules = resolveActions(model, assignment.uid, assignment.actions).map(
    (action) => [action, rule === 'unchanged' ? null : normaliseRule(model, action, rule)] as const,
  );
  return changeAccess(
    database,
    async (tx) => {
      const role = await findRole(tx, tables, assignment.role);
      await lockRole(tx, tables, role);
      const rulesBefore = new Map(
        [...(await readRoleRules(tx, tables, role))].filter(
          ([action]) => withoutLastSegment(action) === assignment.uid,
        ),
      );
      const assignedRules = requestedRules.map(
        ([action, requestedRule]) => [action, requestedRule ?? rulesBefore.get(action) ?? UNLIMITED] as const,
      );
      const rulesAfter = new Map([...(keepOthers ? rulesBefore : []), ...assignedRules]);
      const delta = compareRules(rulesBefore, rulesAfter);
      await writeRoleRules(tx, tables, role, delta, rulesAfter);
      return { role, ...delta, actions: [...rulesAfter.keys()].toSorted() };
    },
    options,
  );
}
