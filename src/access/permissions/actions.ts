import { createError } from '../../errors/catalogue.js';
import { byCodePoint } from '../../lib/text.js';
import { didYouMean } from '../../lib/nearest.js';
import { FILE_UID, ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import { isDisabled, linksCaller } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { FIND_DRAFTS, SET_OWNER } from '../../query/read-access.js';

/** Controllers of Strapi's plugins with actions that belong to no content-type. */
export const AUTH_CONTROLLER = 'plugin::users-permissions.auth';
export const PERMISSIONS_CONTROLLER = 'plugin::users-permissions.permissions';
export const UPLOAD_CONTROLLER = 'plugin::upload.content-api';
export const TYPES_CONTROLLER = 'plugin::content-type-builder.content-types';
export const COMPONENTS_CONTROLLER = 'plugin::content-type-builder.components';
/**
 * Controller for remote commands. No role or custom token is granted its actions: `find` requires a read-only
 * token, the others one with full access.
 */
export const CONTENT_CONTROLLER = 'plugin::cms.content';
const LOCALES_CONTROLLER = 'plugin::i18n.locales';

/** The resources of remote commands, apart from content. */
export const CMS_RESOURCES = [
  'tokens',
  'roles',
  'permissions',
  'users',
  'locales',
  'providers',
  'webhooks',
  'releases',
  'checks',
  'trash',
  'log',
] as const;

export type CmsResource = (typeof CMS_RESOURCES)[number];

/** The actions on each resource. Their names differ from those that read-only tokens include. */
const CMS_ACTIONS = ['read', 'write'] as const;

export type CmsAction = (typeof CMS_ACTIONS)[number];

const CMS_PREFIX = 'plugin::cms.';

/** Returns the permission that remote commands need for a resource. */
export function cmsPermission(resource: CmsResource, action: CmsAction): Permission {
  return { uid: `${CMS_PREFIX}${resource}`, action };
}

/** True for an action of remote commands, which no role can have. */
export function isCmsAction(action: string): boolean {
  return action.startsWith(CMS_PREFIX);
}

/** Permission that a caller must have: `find` of `api::article.article`. */
export interface Permission {
  readonly uid: string;
  readonly action: string;
}

/** Action on the documents of any type. */
export type DocumentAction =
  | 'find'
  | 'findOne'
  | 'create'
  | 'update'
  | 'delete'
  | HistoryAction
  | TrashAction;

/** Action on the former published versions of documents. */
export type HistoryAction = 'findVersions' | 'restoreVersion';

/** The actions on deleted documents. Each covers all deleted documents of the type, with their drafts. */
export const TRASH_ACTIONS = ['findDeleted', 'restoreDeleted', 'purgeDeleted'] as const;

type TrashAction = (typeof TRASH_ACTIONS)[number];

/** The permission to read one or all of the configured locales. */
export const LIST_LOCALES: Permission = Object.freeze({ uid: LOCALES_CONTROLLER, action: 'listLocales' });

const LOCALE_UID = 'plugin::i18n.locale';

/**
 * Returns the permission an action on documents of a type requires. Files and locales are guarded by their
 * plugin's controller. A single type has one document, so that reading it requires `find`.
 */
export function permissionOf(
  { uid, kind }: Pick<ContentType, 'uid' | 'kind'>,
  action: DocumentAction,
): Permission {
  if (uid === LOCALE_UID) return LIST_LOCALES;
  return {
    uid: uid === FILE_UID ? UPLOAD_CONTROLLER : uid,
    action: kind === 'singleType' && action === 'findOne' ? 'find' : action,
  };
}

/** All actions that can be granted on one content-type or one controller of a plugin. */
export interface ActionGroup {
  /** `api::tag.tag`, `plugin::users-permissions.auth` */
  readonly uid: string;
  readonly displayName: string;
  readonly actions: readonly string[];
  /** Actions that Strapi does not have. They are granted by name only, and listed only if granted. */
  readonly ownActions?: readonly string[];
}

const COLLECTION_ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'];
const SINGLE_ACTIONS = ['find', 'update', 'delete'];
const DRAFT_ACTIONS: readonly (HistoryAction | typeof FIND_DRAFTS)[] = [
  FIND_DRAFTS,
  'findVersions',
  'restoreVersion',
];

const PLUGIN_GROUPS: readonly ActionGroup[] = [
  { uid: LIST_LOCALES.uid, displayName: 'Locales', actions: [LIST_LOCALES.action] },
  {
    uid: UPLOAD_CONTROLLER,
    displayName: 'Upload',
    actions: ['find', 'findOne', 'upload', 'destroy'],
  },
  {
    uid: AUTH_CONTROLLER,
    displayName: 'Sign-in',
    actions: [
      'callback',
      'register',
      'connect',
      'forgotPassword',
      'resetPassword',
      'changePassword',
      'emailConfirmation',
      'sendEmailConfirmation',
      'refresh',
      'logout',
    ],
  },
  { uid: TYPES_CONTROLLER, displayName: 'Content-types', actions: ['getContentTypes', 'getContentType'] },
  { uid: COMPONENTS_CONTROLLER, displayName: 'Components', actions: ['getComponents', 'getComponent'] },
  { uid: PERMISSIONS_CONTROLLER, displayName: 'Permissions', actions: ['getPermissions'] },
  {
    uid: ROLE_UID,
    displayName: 'Roles',
    actions: ['find', 'findOne', 'createRole', 'updateRole', 'deleteRole'],
  },
  {
    uid: USER_UID,
    displayName: 'Users',
    actions: ['find', 'findOne', 'count', 'create', 'update', 'destroy', 'me'],
  },
];

/** True if a relation of the type links the caller by default. */
const hasOwner = ({ attributes }: ContentType): boolean => Object.values(attributes).some(linksCaller);

const toActionGroup = (type: ContentType): ActionGroup => ({
  uid: type.uid,
  displayName: type.displayName,
  actions: type.kind === 'singleType' ? SINGLE_ACTIONS : COLLECTION_ACTIONS,
  ownActions: [
    ...(type.draftAndPublish ? DRAFT_ACTIONS : []),
    ...TRASH_ACTIONS,
    ...(hasOwner(type) ? [SET_OWNER] : []),
  ],
});

/** Adds the actions of controllers that the project's routes use. */
const withControllerActions = (
  groups: readonly ActionGroup[],
  { controllerActions }: ContentModel,
): readonly ActionGroup[] => {
  const byUid = new Map(groups.map((group) => [group.uid, group]));
  for (const { uid, actions } of controllerActions) {
    const group = byUid.get(uid) ?? { uid, displayName: uid.slice(uid.lastIndexOf('.') + 1), actions: [] };
    byUid.set(uid, { ...group, actions: [...new Set([...group.actions, ...actions])] });
  }
  return [...byUid.values()];
};

/** Returns all actions of a group: those that `*` includes, then those that are granted by name only. */
export function allActionsOf({ actions, ownActions = [] }: ActionGroup): readonly string[] {
  return [...actions, ...ownActions];
}

/** Returns every action that a role can be granted, sorted by UID. */
export function listActionGroups(model: ContentModel): readonly ActionGroup[] {
  const projectGroups = model.types.filter((type) => type.origin !== 'builtin').map(toActionGroup);
  const pluginGroups = PLUGIN_GROUPS.filter(({ uid }) => !isDisabled(model, uid));
  return withControllerActions([...projectGroups, ...pluginGroups], model).toSorted((left, right) =>
    byCodePoint(left.uid, right.uid),
  );
}

/** Returns every action that a custom token can be granted, sorted by UID. */
export function listTokenActionGroups(model: ContentModel): readonly ActionGroup[] {
  const groups = CMS_RESOURCES.map((resource) => ({
    uid: `${CMS_PREFIX}${resource}`,
    displayName: `Remote commands: ${resource}`,
    actions: CMS_ACTIONS,
  }));
  return [...listActionGroups(model), ...groups].toSorted((left, right) => byCodePoint(left.uid, right.uid));
}

/**
 * Returns the full names (`api::tag.tag.find`) of actions of one type or controller, sorted. `*` stands for
 * all actions that Strapi has, without those on drafts, versions and deleted documents.
 *
 * @throws `access/unknown-action` with the nearest known name
 */
export function resolveActions(
  model: ContentModel,
  uid: string,
  names: readonly string[],
  groups: readonly ActionGroup[] = listActionGroups(model),
): readonly string[] {
  const group = groups.find((candidate) => candidate.uid === uid);
  if (group === undefined) {
    throw createError('access/unknown-action', {
      action: uid,
      remedy: didYouMean(
        uid,
        groups.map((known) => known.uid),
        'See: cms permissions list',
      ),
    });
  }
  const actions = names.flatMap((name) => {
    if (name === '*') return group.actions;
    const known = allActionsOf(group);
    if (known.includes(name)) return [name];
    throw createError('access/unknown-action', {
      action: `${uid}.${name}`,
      remedy: didYouMean(name, known, `${uid} has ${known.join(', ')}.`),
    });
  });
  return [...new Set(actions)].map((action) => `${uid}.${action}`).toSorted(byCodePoint);
}

/**
 * Checks full action names. `api::tag.tag.*` stands for all actions of the type. Returns them sorted and
 * without duplicates.
 *
 * @param groups the actions that can be granted. Default: those of roles
 * @throws `access/unknown-action`
 */
export function resolveActionNames(
  model: ContentModel,
  names: readonly string[],
  groups: readonly ActionGroup[] = listActionGroups(model),
): readonly string[] {
  const all = names.flatMap((name) => {
    const dot = name.lastIndexOf('.');
    return resolveActions(model, dot < 0 ? name : name.slice(0, dot), [name.slice(dot + 1)], groups);
  });
  return [...new Set(all)].toSorted(byCodePoint);
}
