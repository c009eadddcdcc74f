import type { AccessContext } from '../../access/access.js';
import { allActionsOf, listActionGroups } from '../../access/permissions/actions.js';
import { listPermissions } from '../../access/permissions/list-permissions.js';
import { listRoles } from '../../access/roles/find-roles.js';
import type { PermissionAssignment } from '../../access/permissions/set-permissions.js';
import { promptActions } from '../prompts/prompt-actions.js';
import type { Prompter } from '../prompts/prompt.js';
import { lastSegment, withoutLastSegment } from '../../lib/uid.js';
import type { Style } from '../terminal/style.js';

export interface PermissionPromptOptions {
  /** Undefined to ask for the role. */
  readonly role: string | undefined;
  /** Limits the grid to this type or controller. Undefined for all. */
  readonly uid: string | undefined;
  readonly style: Style;
}

export interface PermissionEdit {
  readonly role: string;
  /** The complete list of actions for each type or controller that was changed. */
  readonly lists: readonly PermissionAssignment[];
}

const promptRole = async (prompter: Prompter, access: AccessContext): Promise<string> => {
  const choices = (await listRoles(access)).map(({ type, name, description }) => ({
    value: type,
    name,
    description: description ?? '',
  }));
  return prompter((prompts, screen) => prompts.select({ message: 'Whose permissions?', choices }, screen));
};

/** Shows a grid of a role's permissions and returns what was changed in it. */
export async function editPermissions(
  prompter: Prompter,
  access: AccessContext,
  { role: givenRole, uid: onlyUid, style }: PermissionPromptOptions,
): Promise<PermissionEdit> {
  const name = givenRole ?? (await promptRole(prompter, access));
  const [{ role, actions } = { role: { type: name }, actions: [] }] = await listPermissions(access, name);
  const groups = listActionGroups(access.model)
    .filter(({ uid }) => onlyUid === undefined || uid === onlyUid)
    .map((group) => ({ ...group, actions: allActionsOf(group) }));
  const granted = actions.filter((action) => groups.some(({ uid }) => uid === withoutLastSegment(action)));
  const selected = await prompter(
    promptActions({ message: `What may ${role.type} do?`, groups, granted, style }),
  );
  const actionsOf = (list: readonly string[], uid: string): readonly string[] =>
    list.filter((action) => withoutLastSegment(action) === uid).toSorted();
  const lists = groups
    .filter(({ uid }) => actionsOf(granted, uid).join(' ') !== actionsOf(selected, uid).join(' '))
    .map(({ uid }) => ({
      role: role.type,
      uid,
      actions: actionsOf(selected, uid).map(lastSegment),
      rule: 'unchanged' as const,
    }));
  return { role: role.type, lists };
}
