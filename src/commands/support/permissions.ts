import type { RolePermissions } from '../../access/operations/list-permissions.js';
import type { PermissionChange } from '../../access/operations/set-permissions.js';
import type { PermissionRule } from '../../access/rules.js';
import { byCodePoint } from '../../lib/compare.js';

/** `api::tag.tag` of `api::tag.tag.find` */
export const uidOf = (action: string): string => action.slice(0, action.lastIndexOf('.'));
/** `find` of `api::tag.tag.find` */
export const nameOf = (action: string): string => action.slice(action.lastIndexOf('.') + 1);

/** `{ 'api::tag.tag': ['find', 'findOne'] }`, sorted. */
export function groupActions(actions: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const action of actions.toSorted(byCodePoint)) groups.set(uidOf(action), [...(groups.get(uidOf(action)) ?? []), nameOf(action)]);
  return Object.fromEntries(groups);
}

/** What is said of an action that goes only so far: `[title,body]`, `[where {"id":"$user.id"}]`; nothing of others. */
const printLimits = (rule: PermissionRule | undefined): string => {
  const parts = [...(rule?.fields ?? []), ...(rule === undefined || rule.where === null ? [] : [`where ${JSON.stringify(rule.where)}`])];
  return parts.length === 0 ? '' : `[${parts.join(',')}]`;
};

/** The limited ones among what a role may do, by full action name; undefined where there is none. */
export function limitedRules({ rules }: RolePermissions): Readonly<Record<string, PermissionRule>> | undefined {
  const limited = [...rules].filter(([, { fields, where }]) => fields !== null || where !== null);
  return limited.length === 0 ? undefined : Object.fromEntries(limited);
}

/** One line per role and uid. */
export function permissionRows(permissions: readonly RolePermissions[]): readonly { readonly role: string; readonly uid: string; readonly actions: string }[] {
  return permissions.flatMap(({ role, actions, rules }) =>
    Object.entries(groupActions(actions)).map(([uid, names]) => ({ role: role.type, uid, actions: names.map((name) => `${name}${printLimits(rules.get(`${uid}.${name}`))}`).join(' ') })));
}

type Delta = Pick<PermissionChange, 'added' | 'removed' | 'changed'>;

/** `+ api::tag.tag.find`, `- api::tag.tag.create` and, where only its limits change, `~ api::tag.tag.update`, a line each. */
const printDelta = ({ added, removed, changed }: Delta): string => {
  const lines = [...added.map((action) => `+ ${action}`), ...removed.map((action) => `- ${action}`), ...changed.map((action) => `~ ${action}`)];
  return lines.toSorted((left, right) => byCodePoint(left.slice(2), right.slice(2))).join('\n');
};

/** `public: 2 actions granted, 1 withdrawn` */
const countDelta = (role: string, { added, removed, changed }: Delta): string => {
  if (added.length + removed.length + changed.length === 0) return `${role}: nothing to change`;
  const count = (list: readonly string[], what: string): string => `${list.length} ${list.length === 1 ? 'action' : 'actions'} ${what}`;
  return `${role}: ${[...(added.length === 0 ? [] : [count(added, 'granted')]), ...(removed.length === 0 ? [] : [count(removed, 'withdrawn')]), ...(changed.length === 0 ? [] : [count(changed, 'limited otherwise')])].join(', ')}`;
};

export interface PermissionReport {
  readonly json: Readonly<Record<string, unknown>>;
  /** The changes, a line each; empty where there are none. */
  readonly text: string;
  readonly summary: string;
}

/** What was done, or would be, to one role: what came and went, and what it may do now on each uid that was spoken of. */
export function reportChanges(role: string, changes: readonly (PermissionChange & { readonly uid: string })[], dryRun: boolean): PermissionReport {
  const delta = { added: changes.flatMap(({ added }) => added), removed: changes.flatMap(({ removed }) => removed), changed: changes.flatMap(({ changed }) => changed) };
  const permissions = Object.fromEntries(changes.map(({ uid, actions }) => [uid, actions.map(nameOf)]));
  return {
    json: { role, added: delta.added, removed: delta.removed, ...(delta.changed.length === 0 ? {} : { changed: delta.changed }), permissions, ...(dryRun ? { dryRun } : {}) },
    text: printDelta(delta),
    summary: `${dryRun ? 'Would do: ' : ''}${countDelta(role, delta)}`,
  };
}
