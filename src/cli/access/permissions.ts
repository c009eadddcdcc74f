import type { RolePermissions } from '../../access/permissions/list-permissions.js';
import type { PermissionChange } from '../../access/permissions/set-permissions.js';
import { isLimited } from '../../access/permissions/rules.js';
import type { PermissionRule } from '../../access/permissions/rules.js';
import { byCodePoint } from '../../lib/compare.js';
import { lastSegment, withoutLastSegment } from '../../lib/uid.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { readStdin } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';
import { countNoun } from '../../lib/count-noun.js';

/** Groups full action names by uid, sorted: `{ 'api::tag.tag': ['find', 'findOne'] }`. */
export function groupActions(actions: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const action of actions.toSorted(byCodePoint)) {
    const uid = withoutLastSegment(action);
    groups.set(uid, [...(groups.get(uid) ?? []), lastSegment(action)]);
  }
  return Object.fromEntries(groups);
}

/**
 * Prints the limits of an action: `[title,body]`, `[where {"id":"$user.id"}]`. Returns empty text for an
 * action without limits.
 */
const printLimits = (rule: PermissionRule | undefined): string => {
  const parts = [
    ...(rule?.fields ?? []),
    ...(rule === undefined || rule.where === null ? [] : [`where ${JSON.stringify(rule.where)}`]),
  ];
  return parts.length === 0 ? '' : `[${parts.join(',')}]`;
};

/** Returns the rules of a role that have limits, by full action name. Undefined where there is none. */
export function limitedRules({
  rules,
}: RolePermissions): Readonly<Record<string, PermissionRule>> | undefined {
  const limited = [...rules].filter(([, rule]) => isLimited(rule));
  return limited.length === 0 ? undefined : Object.fromEntries(limited);
}

/** Returns one row per role and uid. */
export function permissionRows(
  permissions: readonly RolePermissions[],
): readonly { readonly role: string; readonly uid: string; readonly actions: string }[] {
  return permissions.flatMap(({ role, actions, rules }) =>
    Object.entries(groupActions(actions)).map(([uid, names]) => ({
      role: role.type,
      uid,
      actions: names.map((name) => `${name}${printLimits(rules.get(`${uid}.${name}`))}`).join(' '),
    })),
  );
}

type Delta = Pick<PermissionChange, 'added' | 'removed' | 'changed'>;

/**
 * Prints one change per line: `+ api::tag.tag.find` (granted), `- api::tag.tag.create` (withdrawn), `~
 * api::tag.tag.update` (limits changed).
 */
const printDelta = ({ added, removed, changed }: Delta): string => {
  const lines = [
    ...added.map((action) => `+ ${action}`),
    ...removed.map((action) => `- ${action}`),
    ...changed.map((action) => `~ ${action}`),
  ];
  return lines.toSorted((left, right) => byCodePoint(left.slice(2), right.slice(2))).join('\n');
};

/** Summarizes changes: `public: 2 actions granted, 1 action withdrawn`. */
const summarizeDelta = (role: string, { added, removed, changed }: Delta): string => {
  if (added.length + removed.length + changed.length === 0) return `${role}: nothing to change`;
  const counts = [
    { list: added, verb: 'granted' },
    { list: removed, verb: 'withdrawn' },
    { list: changed, verb: 'given other limits' },
  ]
    .filter(({ list }) => list.length > 0)
    .map(({ list, verb }) => `${countNoun(list.length, 'action')} ${verb}`);
  return `${role}: ${counts.join(', ')}`;
};

export interface PermissionReport {
  readonly json: Readonly<Record<string, unknown>>;
  /** One change per line. Empty where nothing changes. */
  readonly text: string;
  readonly summary: string;
}

/**
 * Describes what changes, or would change, for one role: the changes, and the actions it has afterwards on
 * each uid involved.
 */
export function describePermissionChanges(
  role: string,
  changes: readonly (PermissionChange & { readonly uid: string })[],
  dryRun: boolean,
): PermissionReport {
  const delta = {
    added: changes.flatMap(({ added }) => added),
    removed: changes.flatMap(({ removed }) => removed),
    changed: changes.flatMap(({ changed }) => changed),
  };
  const permissions = Object.fromEntries(changes.map(({ uid, actions }) => [uid, actions.map(lastSegment)]));
  return {
    json: {
      role,
      added: delta.added,
      removed: delta.removed,
      ...(delta.changed.length === 0 ? {} : { changed: delta.changed }),
      permissions,
      ...(dryRun ? { dryRun } : {}),
    },
    text: printDelta(delta),
    summary: `${dryRun ? 'Dry run: ' : ''}${summarizeDelta(role, delta)}`,
  };
}

const parseWhere = (text: string): Readonly<Record<string, unknown>> => {
  const remedy = 'Pass an object such as \'{"owner":{"id":"$user.id"}}\'.';
  let where: unknown;
  try {
    where = JSON.parse(text);
  } catch {
    throw createError('cli/invalid-usage', { reason: '--where is not valid JSON.', remedy });
  }
  if (!isRecord(where))
    throw createError('cli/invalid-usage', { reason: '--where is not a JSON object.', remedy });
  return where;
};

/**
 * Reads the limits of a permission from `--fields` and `--where`.
 *
 * @throws `cli/invalid-usage`
 */
export async function readPermissionRule(
  terminal: Terminal,
  { fields, where }: { readonly fields?: string | undefined; readonly where?: string | undefined },
): Promise<PermissionRule> {
  const names = fields
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const text = where === '-' ? await readStdin(terminal) : where;
  return { fields: names ?? null, where: text === undefined ? null : parseWhere(text) };
}
