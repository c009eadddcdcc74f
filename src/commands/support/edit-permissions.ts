import type { AccessContext } from '../../access/access.js';
import { listActionGroups } from '../../access/actions.js';
import { listPermissions } from '../../access/operations/list-permissions.js';
import { listRoles } from '../../access/operations/list-roles.js';
import type { PermissionList } from '../../access/operations/set-permissions.js';
import { askActions } from './ask/ask-actions.js';
import type { Asker } from './ask/asker.js';
import { nameOf, uidOf } from './permissions.js';
import type { Style } from './style.js';

export interface PermissionQuestion {
  /** Asked for where it was not said. */
  readonly role: string | undefined;
  /** Only this type or controller; undefined: all of them. */
  readonly uid: string | undefined;
  readonly style: Style;
}

export interface PermissionEdit {
  readonly role: string;
  /** The whole list for each type or controller where it differs from what it was. */
  readonly lists: readonly PermissionList[];
}

const chooseRole = async (asker: Asker, access: AccessContext): Promise<string> => {
  const choices = (await listRoles(access)).map(({ type, name, description }) => ({ value: type, name, description: description ?? '' }));
  return asker((prompts, screen) => prompts.select({ message: 'Whose permissions?', choices }, screen));
};

/** Lets somebody tick what a role may do, and answers what differs from what it was. */
export async function editPermissions(asker: Asker, access: AccessContext, { role: given, uid: only, style }: PermissionQuestion): Promise<PermissionEdit> {
  const name = given ?? (await chooseRole(asker, access));
  const [{ role, actions } = { role: { type: name }, actions: [] }] = await listPermissions(access, name);
  const groups = listActionGroups(access.model).filter(({ uid }) => only === undefined || uid === only);
  const granted = actions.filter((action) => groups.some(({ uid }) => uid === uidOf(action)));
  const wanted = await asker(askActions({ message: `What may ${role.type} do?`, groups, granted, style }));
  const of = (list: readonly string[], uid: string): readonly string[] => list.filter((action) => uidOf(action) === uid).toSorted();
  const lists = groups
    .filter(({ uid }) => of(granted, uid).join(' ') !== of(wanted, uid).join(' '))
    .map(({ uid }) => ({ role: role.type, uid, actions: of(wanted, uid).map(nameOf), rule: 'kept' as const }));
  return { role: role.type, lists };
}
