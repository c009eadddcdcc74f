import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { ContentType } from '../../model/model.js';

/** The controllers on which Strapi's plugins grant actions that belong to no content type. */
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

/** Permission that a caller must have: `find` of `api::article.article`. */
export interface Permission {
  readonly uid: string;
  readonly action: string;
}

/** Action on the documents of any type. */
export type DocumentAction = 'find' | 'findOne' | 'create' | 'update' | 'delete' | HistoryAction;

/** Action on the kept published versions of documents. */
export type HistoryAction = 'findVersions' | 'restoreVersion';

/** Reading the configured locales takes one permission, whether all are read or one. */
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
