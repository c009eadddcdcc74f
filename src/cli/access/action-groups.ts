import { listActionGroups } from '../../access/permissions/actions.js';
import type { ActionGroup } from '../../access/permissions/actions.js';
import { createError } from '../../errors/catalogue.js';
import { lastSegment } from '../../lib/uid.js';
import type { ContentModel } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

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
 * Returns the actions of a content-type or a plugin's controller, found by its uid or, where that is
 * unambiguous, by a short name: `article`, `auth`.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveActionGroup(model: ContentModel, name: string): ActionGroup {
  return resolveType(
    listActionGroups(model).map((group) => withShortNames(model, group)),
    name,
  );
}

/**
 * Returns the full name of a token's permission: `api::article.article.find` for `article.find`. Does not
 * check that the action exists; the operation on the token does.
 *
 * @throws `access/unknown-action` where the name lacks an action
 */
export function expandPermission(model: ContentModel, name: string): string {
  const dot = name.lastIndexOf('.');
  const isWholeUid = listActionGroups(model).some(({ uid }) => uid === name);
  if (dot < 0 || isWholeUid) {
    const { uid, actions } = resolveActionGroup(model, name);
    throw createError('access/unknown-action', {
      action: name,
      remedy: `Name an action of it: ${uid}.${actions[0] ?? '*'}, or ${uid}.* for all.`,
    });
  }
  return `${resolveActionGroup(model, name.slice(0, dot)).uid}${name.slice(dot)}`;
}
