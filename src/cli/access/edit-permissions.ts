import { allActionsOf, listActionGroups } from '../../access/permissions/actions.js';
import type { ActionGroup } from '../../access/permissions/actions.js';
import type { PermissionAssignment } from '../../access/permissions/role-permissions.js';
import { isLimited } from '../../access/permissions/rules.js';
import type { PermissionRule } from '../../access/permissions/rules.js';
import type { Administration } from '../../api/administration/administration.js';
import type { ContentModel } from '../../model/model.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import { askSelect } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { review } from '../prompts/wizard.js';
import type { Wizard } from '../prompts/wizard.js';
import type { Style } from '../terminal/terminal.js';

interface ActionPromptOptions {
  readonly message: string;
  readonly groups: readonly ActionGroup[];
  readonly granted?: readonly string[] | undefined;
  readonly required?: boolean;
  readonly style: Style;
}

/** Asks for actions in a grid. Loads the grid only when it is shown. */
export function askActions(
  prompter: Prompter,
  { granted = [], ...question }: ActionPromptOptions,
): Promise<readonly string[]> {
  return prompter(async (_prompts, screen) => {
    const { actionGrid } = await import('../prompts/action-grid.js');
    const ticked = Array.isArray(screen.previous) ? screen.previous.map(String) : granted;
    return actionGrid({ ...question, granted: ticked }, screen);
  });
}

export interface PermissionPromptOptions {
  readonly model: ContentModel;
  /** Undefined to ask for the role. */
  readonly role: string | undefined;
  /** Limits the grid to this type or controller. Undefined for all. */
  readonly uid: string | undefined;
  /** The limits for types whose ticks change. Undefined keeps the present limits. */
  readonly rule: PermissionRule;
  readonly style: Style;
}

export interface PermissionEdit {
  readonly role: string;
  /** The complete list of actions for each type or controller that was changed. */
  readonly lists: readonly PermissionAssignment[];
}

/** Asks for a role. */
export async function askRole(
  prompter: Prompter,
  { roles }: Pick<Administration, 'roles'>,
  { message, initial }: { readonly message: string; readonly initial?: string | undefined },
): Promise<string> {
  const choices = (await roles.list({})).map(({ type, name, description }) => ({
    value: type,
    name,
    description: description ?? '',
  }));
  return askSelect(prompter, { message, choices, initial });
}

const printChanges = (granted: readonly string[], selected: readonly string[]): string => {
  const lines = [
    ...selected.filter((action) => !granted.includes(action)).map((action) => `  + ${action}`),
    ...granted.filter((action) => !selected.includes(action)).map((action) => `  - ${action}`),
  ];
  return lines.length === 0 ? '  nothing changes' : lines.join('\n');
};

/** Shows a grid of a role's permissions, then prints and returns the changes. */
export async function editPermissions(
  { prompter, info, setDraft }: Wizard,
  api: Administration,
  { model, role: givenRole, uid: onlyUid, rule, style }: PermissionPromptOptions,
): Promise<PermissionEdit> {
  const name = givenRole ?? (await askRole(prompter, api, { message: 'Whose permissions?' }));
  const [{ role, actions } = { role: { type: name }, actions: [] }] = await api.permissions.list({
    role: name,
  });
  const groups = listActionGroups(model)
    .filter(({ uid }) => onlyUid === undefined || uid === onlyUid)
    .map((group) => ({ ...group, actions: allActionsOf(group) }));
  const granted = actions.filter((action) => groups.some(({ uid }) => uid === withoutLastSegment(action)));
  const ask = (ticked: readonly string[]): Promise<readonly string[]> =>
    askActions(prompter, { message: `What may ${role.type} do?`, groups, granted: ticked, style });
  setDraft(`permissions of ${role.type}`);
  let selected = await ask(granted);
  const edit = {
    name: 'Edit the permissions',
    run: async () => {
      selected = await ask(selected);
    },
  };
  await review({ prompter, info, setDraft }, () => ({
    summary: printChanges(granted, selected),
    actions: [edit],
  }));
  const actionsOf = (list: readonly string[], uid: string): readonly string[] =>
    list.filter((action) => withoutLastSegment(action) === uid).toSorted();
  const lists = groups
    .filter(({ uid }) => actionsOf(granted, uid).join(' ') !== actionsOf(selected, uid).join(' '))
    .map(({ uid }) => ({
      role: role.type,
      uid,
      actions: actionsOf(selected, uid).map(lastSegment),
      rule: isLimited(rule) ? rule : ('unchanged' as const),
    }));
  return { role: role.type, lists };
}
