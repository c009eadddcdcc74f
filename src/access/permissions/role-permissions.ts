import type { LogEntry } from '../../documents/log/write-log.js';
import { withoutLastSegment } from '../../lib/ids.js';
import { changeAccess } from '../access.js';
import type { AccessContext, ChangeOptions, RoleContext, RoleRecord } from '../access.js';
import {
  compareRules,
  findRole,
  lockRole,
  readRoleRules,
  readRoles,
  roleTables,
  writeRoleRules,
} from '../roles/role-tables.js';
import type { RoleRules, RulesDelta } from '../roles/role-tables.js';
import { resolveActions } from './actions.js';
import { UNLIMITED, distributeRule, normaliseRule } from './rules.js';
import type { PermissionRule } from './rules.js';

export interface RolePermissions {
  readonly role: RoleRecord;
  /** Full action names (`api::tag.tag.find`), sorted. */
  readonly actions: readonly string[];
  /** The limits of each action. */
  readonly rules: RoleRules;
}

/** Returns the permissions of all roles, or of the role with a type or name. Throws `access/unknown-role`. */
export async function listPermissions(
  { database, model }: RoleContext,
  role?: string,
): Promise<readonly RolePermissions[]> {
  const tables = roleTables(model);
  return database.transact(async (tx) => {
    const roles = role === undefined ? await readRoles(tx, tables) : [await findRole(tx, tables, role)];
    const permissions: RolePermissions[] = [];
    for (const listedRole of roles) {
      const rules = await readRoleRules(tx, tables, listedRole);
      permissions.push({ role: listedRole, actions: [...rules.keys()], rules });
    }
    return permissions;
  });
}

export interface PermissionAssignment {
  /** The role's type (`public`) or name. */
  readonly role: string;
  /** A content type or a plugin's controller. */
  readonly uid: string;
  /** Short action names (`find`); `*` stands for all actions of the UID. */
  readonly actions: readonly string[];
  /** The limits of these actions; default: none. With `unchanged`, granted actions keep their limits. */
  readonly rule?: PermissionRule | 'unchanged';
  /** True if the role keeps its other actions of that UID. By default they are revoked. */
  readonly keepOthers?: boolean;
}

export interface PermissionChange extends RulesDelta {
  readonly role: RoleRecord;
  /** The role's actions of that UID after the change. */
  readonly actions: readonly string[];
}

const entryOf = (
  action: string,
  { role, uid, actions }: Pick<PermissionAssignment, 'role' | 'uid' | 'actions'>,
): LogEntry => ({ action, target: role, details: { uid, actions } });

/**
 * Sets the actions of one UID that a role may do: grants missing ones and revokes all others.
 *
 * @throws `access/unknown-role`, `access/unknown-action`, `access/invalid-permission-rule`,
 *   `access/unknown-locale`
 */
export async function setPermissions(
  context: AccessContext,
  assignment: PermissionAssignment,
  options: ChangeOptions = {},
): Promise<PermissionChange> {
  const { model } = context;
  const tables = roleTables(model);
  const { rule = UNLIMITED, keepOthers = false } = assignment;
  const actions = resolveActions(model, assignment.uid, assignment.actions);
  const ruleByAction = rule === 'unchanged' ? null : distributeRule(actions, rule);
  const requestedRules = actions.map((action) => {
    const requested = ruleByAction?.get(action);
    return [action, requested === undefined ? null : normaliseRule(model, action, requested)] as const;
  });
  return changeAccess(
    context,
    entryOf('permissions.set', assignment),
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

/**
 * Revokes actions of one UID from a role, or all of them if none is named. Ignores actions that the role does
 * not have.
 *
 * @throws `access/unknown-role`, `access/unknown-action`
 */
export async function unsetPermissions(
  context: AccessContext,
  assignment: Pick<PermissionAssignment, 'role' | 'uid' | 'actions'>,
  options: ChangeOptions = {},
): Promise<PermissionChange> {
  const { model } = context;
  const tables = roleTables(model);
  const actionsToRemove =
    assignment.actions.length === 0 ? null : resolveActions(model, assignment.uid, assignment.actions);
  return changeAccess(
    context,
    entryOf('permissions.unset', assignment),
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
