/** The folder access supports the commands of tokens, permissions, users and providers. */
import type { TokenRecord } from '../../access/access.js';
import { listActionGroups, listTokenActionGroups } from '../../access/permissions/actions.js';
import type { ActionGroup } from '../../access/permissions/actions.js';
import type { PermissionChange } from '../../access/permissions/role-permissions.js';
import type { Administration } from '../../api/administration/administration.js';
import { isLimited } from '../../access/permissions/rules.js';
import type { PermissionRule } from '../../access/permissions/rules.js';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint, countNoun } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import type { ContentModel } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { readStdin } from '../prompts/secret.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { printKeyValues, printTime } from '../terminal/text-layout.js';

/** A content-type or a plugin's controller, with the short names that the command line accepts for it. */
interface NamedActionGroup extends ActionGroup {
  readonly singularName: string;
  readonly pluralName: string;
}

const withShortNames = (model: ContentModel, group: ActionGroup): NamedActionGroup => {
  const type = model.types.find(({ uid, origin }) => uid === group.uid && origin === 'project');
  const shortName = lastSegment(group.uid);
  return {
    ...group,
    singularName: type?.singularName ?? shortName,
    pluralName: type?.pluralName ?? shortName,
  };
};

/**
 * Returns the actions of a content-type or a plugin's controller, found by its uid or by an unambiguous short
 * name: `article`, `auth`.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveActionGroup(
  model: ContentModel,
  name: string,
  groups: readonly ActionGroup[] = listActionGroups(model),
): ActionGroup {
  return resolveType(
    groups.map((group) => withShortNames(model, group)),
    name,
  );
}

/** The permissions of a role. */
type ListedPermissions = Awaited<ReturnType<Administration['permissions']['list']>>[number];

/**
 * Returns the full name of a token's permission: `api::article.article.find` for `article.find`. Does not
 * check that the action exists; the operation on the token does.
 *
 * @throws `access/unknown-action` if the name lacks an action
 */
export function expandPermission(model: ContentModel, name: string): string {
  const dot = name.lastIndexOf('.');
  const groups = listTokenActionGroups(model);
  const isWholeUid = groups.some(({ uid }) => uid === name);
  if (dot < 0 || isWholeUid) {
    const { uid, actions } = resolveActionGroup(model, name, groups);
    throw createError('access/unknown-action', {
      action: name,
      remedy: `Name an action of it: ${uid}.${actions[0] ?? '*'}, or ${uid}.* for all.`,
    });
  }
  return `${resolveActionGroup(model, name.slice(0, dot), groups).uid}${name.slice(dot)}`;
}

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
 * Prints the limits of an action: `[title,body]`, `[where {"id":"$user.id"}]`, `[locales de,status draft]`.
 * Returns empty text for an action without limits.
 */
const printLimits = (rule: PermissionRule | undefined): string => {
  const parts = [
    ...(rule?.fields ?? []),
    ...(rule === undefined || rule.where === null ? [] : [`where ${JSON.stringify(rule.where)}`]),
    ...(rule?.locales === undefined ? [] : [`locales ${rule.locales.join(' ')}`]),
    ...(rule?.status === undefined ? [] : [`status ${rule.status}`]),
  ];
  return parts.length === 0 ? '' : `[${parts.join(',')}]`;
};

/** Returns the rules of a role that have limits, by full action name. Undefined if there are none. */
export function limitedRules({
  rules,
}: ListedPermissions): Readonly<Record<string, PermissionRule>> | undefined {
  const limited = Object.entries(rules).filter(([, rule]) => isLimited(rule));
  return limited.length === 0 ? undefined : Object.fromEntries(limited);
}

/** Returns one row per role and uid. */
export function permissionRows(
  permissions: readonly ListedPermissions[],
): readonly { readonly role: string; readonly uid: string; readonly actions: string }[] {
  return permissions.flatMap(({ role, actions, rules }) =>
    Object.entries(groupActions(actions)).map(([uid, names]) => ({
      role: role.type,
      uid,
      actions: names.map((name) => `${name}${printLimits(rules[`${uid}.${name}`])}`).join(' '),
    })),
  );
}

type Delta = Pick<PermissionChange, 'added' | 'removed' | 'changed'>;

/**
 * Prints one change per line: `+ api::tag.tag.find` (granted), `- api::tag.tag.create` (revoked), `~
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

/** Summarizes changes: `public: 2 actions granted, 1 action revoked`. */
const summarizeDelta = (role: string, { added, removed, changed }: Delta): string => {
  if (added.length + removed.length + changed.length === 0) return `${role}: no changes`;
  const counts = [
    { list: added, verb: 'granted' },
    { list: removed, verb: 'revoked' },
    { list: changed, verb: 'given other limits' },
  ]
    .filter(({ list }) => list.length > 0)
    .map(({ list, verb }) => `${countNoun(list.length, 'action')} ${verb}`);
  return `${role}: ${counts.join(', ')}`;
};

export interface PermissionReport {
  readonly json: Readonly<Record<string, unknown>>;
  /** One change per line. Empty if nothing changes. */
  readonly text: string;
  readonly summary: string;
}

/** Describes the changes of one role, and its resulting actions on each uid involved. */
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

interface RuleFlags {
  readonly fields?: string | undefined;
  readonly where?: string | undefined;
  readonly locale?: readonly string[] | undefined;
  readonly status?: string | undefined;
}

/**
 * Reads the limits of a permission from `--fields`, `--where`, `--locale` and `--status`.
 *
 * @throws `cli/invalid-usage`
 */
export async function readPermissionRule(
  terminal: Terminal,
  { fields, where, locale, status }: RuleFlags,
): Promise<PermissionRule> {
  const names = fields
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const text = where === '-' ? await readStdin(terminal) : where;
  return {
    fields: names ?? null,
    where: text === undefined ? null : parseWhere(text),
    ...(locale === undefined ? {} : { locales: locale }),
    ...(status === 'draft' ? { status } : {}),
  };
}

/** Prints when a token expires, or that it has expired. */
export function printExpiry(
  { expiresAt }: Pick<TokenRecord, 'expiresAt'>,
  style: Style,
  now: number = Date.now(),
): string {
  if (expiresAt === null) return 'never';
  return Date.parse(expiresAt) <= now ? style.red(`expired ${printTime(expiresAt)}`) : printTime(expiresAt);
}

/** Prints name, type, permissions and expiry of a token on one line. */
export function summarizeToken({
  name,
  type,
  permissions,
  locales,
  status,
  expiresAt,
}: Pick<TokenRecord, 'name' | 'type' | 'permissions' | 'locales' | 'status' | 'expiresAt'>): string {
  const actions = permissions.length === 0 ? '' : `, ${permissions.join(' ')}`;
  const lifespan = expiresAt === null ? 'unlimited' : `until ${printTime(expiresAt)} UTC`;
  const languages = locales === undefined ? '' : `, in ${locales.join(' ')}`;
  const drafts = status === undefined ? '' : ', without publishing';
  return `${name} (${type}${actions}${languages}${drafts}, ${lifespan})`;
}

export function printToken(token: TokenRecord, style: Style): string {
  return printKeyValues(
    [
      ['Name', token.name],
      ...(token.description === null ? [] : [['Description', token.description] as const]),
      ['Type', token.type],
      ...token.permissions.map(
        (permission, index) => [index === 0 ? 'Permissions' : '', permission] as const,
      ),
      ...(token.locales === undefined ? [] : [['Locales', token.locales.join(' ')] as const]),
      ...(token.status === undefined ? [] : [['Status', token.status] as const]),
      ['Expires', printExpiry(token, style)],
      ['Last used', printTime(token.lastUsedAt)],
      ['Created', printTime(token.createdAt)],
    ],
    style,
  );
}
