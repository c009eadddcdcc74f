import { fail } from '../errors/catalogue.js';
import { byCodePoint } from '../lib/compare.js';
import { nearest } from '../lib/nearest.js';
import type { ContentModel, ContentType } from '../model/model.js';

/** Everything that can be granted on one content-type or one controller of a plugin. */
export interface ActionGroup {
  /** `api::tag.tag`, `plugin::users-permissions.auth` */
  readonly uid: string;
  readonly displayName: string;
  readonly actions: readonly string[];
}

const COLLECTION_ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'];
const SINGLE_ACTIONS = ['find', 'update', 'delete'];

const PLUGIN_GROUPS: readonly ActionGroup[] = [
  { uid: 'plugin::i18n.locales', displayName: 'Locales', actions: ['listLocales'] },
  { uid: 'plugin::upload.content-api', displayName: 'Upload', actions: ['find', 'findOne', 'upload', 'destroy'] },
  {
    uid: 'plugin::users-permissions.auth',
    displayName: 'Sign-in',
    actions: ['callback', 'register', 'connect', 'forgotPassword', 'resetPassword', 'changePassword', 'emailConfirmation', 'sendEmailConfirmation'],
  },
  { uid: 'plugin::users-permissions.permissions', displayName: 'Permissions', actions: ['getPermissions'] },
  { uid: 'plugin::users-permissions.role', displayName: 'Roles', actions: ['find', 'findOne', 'createRole', 'updateRole', 'deleteRole'] },
  { uid: 'plugin::users-permissions.user', displayName: 'Users', actions: ['find', 'findOne', 'count', 'create', 'update', 'destroy', 'me'] },
];

const groupOf = (type: ContentType): ActionGroup => ({
  uid: type.uid,
  displayName: type.displayName,
  actions: type.kind === 'singleType' ? SINGLE_ACTIONS : COLLECTION_ACTIONS,
});

/** Every action a role or a custom token can be granted, sorted by uid. */
export function listActionGroups(model: ContentModel): readonly ActionGroup[] {
  const own = model.types.filter((type) => type.origin === 'project').map(groupOf);
  return [...own, ...PLUGIN_GROUPS].toSorted((left, right) => byCodePoint(left.uid, right.uid));
}

const listOf = (words: readonly string[]): string => words.join(', ');

const suggest = (name: string, known: readonly string[], see: string): string => {
  const close = nearest(name, known);
  return close === undefined ? see : `Did you mean ${close}?`;
};

/**
 * The full names (`api::tag.tag.find`) of some actions of one type or controller, sorted; `*` stands for all it has.
 *
 * @throws `access/unknown-action` with the nearest known name.
 */
export function resolveActions(model: ContentModel, uid: string, names: readonly string[]): readonly string[] {
  const groups = listActionGroups(model);
  const group = groups.find((candidate) => candidate.uid === uid);
  if (group === undefined) {
    throw fail('access/unknown-action', { action: uid, remedy: suggest(uid, groups.map((known) => known.uid), 'See: cms permissions list') });
  }
  const actions = names.flatMap((name) => {
    if (name === '*') return group.actions;
    if (group.actions.includes(name)) return [name];
    throw fail('access/unknown-action', { action: `${uid}.${name}`, remedy: suggest(name, group.actions, `${uid} has ${listOf(group.actions)}.`) });
  });
  return [...new Set(actions)].map((action) => `${uid}.${action}`).toSorted(byCodePoint);
}

/** Checks full action names, as a custom token is given them; `api::tag.tag.*` stands for all of the type's. Sorted, each once. */
export function resolveActionNames(model: ContentModel, names: readonly string[]): readonly string[] {
  const all = names.flatMap((name) => {
    const dot = name.lastIndexOf('.');
    return resolveActions(model, dot < 0 ? name : name.slice(0, dot), [name.slice(dot + 1)]);
  });
  return [...new Set(all)].toSorted(byCodePoint);
}
