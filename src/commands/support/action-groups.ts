import { listActionGroups } from '../../access/actions.js';
import type { ActionGroup } from '../../access/actions.js';
import { fail } from '../../errors/catalogue.js';
import type { ContentModel } from '../../model/model.js';
import { resolveType } from '../../scaffold/resolve-name.js';

/** A type or a plugin's controller with the short names it may be called by. */
interface NamedGroup extends ActionGroup {
  readonly singularName: string;
  readonly pluralName: string;
}

/** `plugin::users-permissions.auth` → `auth` */
const lastPart = (uid: string): string => uid.slice(uid.lastIndexOf('.') + 1);

const nameGroup = (model: ContentModel, group: ActionGroup): NamedGroup => {
  const type = model.types.find(({ uid, origin }) => uid === group.uid && origin === 'project');
  const short = lastPart(group.uid);
  return { ...group, singularName: type?.singularName ?? short, pluralName: type?.pluralName ?? short };
};

/**
 * What can be granted on a type or a plugin's controller, named by its uid or, where that says it, by a short name: `article`, `auth`.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveActionGroup(model: ContentModel, name: string): ActionGroup {
  return resolveType(listActionGroups(model).map((group) => nameGroup(model, group)), name);
}

/**
 * The full name of a permission as a token is given it: `article.find` is `api::article.article.find`. Whether there is such an action is
 * for the operation to say.
 */
export function expandPermission(model: ContentModel, name: string): string {
  const dot = name.lastIndexOf('.');
  const isWholeUid = listActionGroups(model).some(({ uid }) => uid === name);
  if (dot < 0 || isWholeUid) {
    const { uid, actions } = resolveActionGroup(model, name);
    throw fail('access/unknown-action', { action: name, remedy: `Say what of it: ${uid}.${actions[0] ?? '*'}, or ${uid}.* for all.` });
  }
  return `${resolveActionGroup(model, name.slice(0, dot)).uid}${name.slice(dot)}`;
}
