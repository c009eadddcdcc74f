import type { Uid } from '../../../lib/uid.js';
import { UPLOAD_FILE } from './upload-file.js';
import { USERS_PERMISSIONS_PERMISSION } from './users-permissions-permission.js';
import { USERS_PERMISSIONS_ROLE } from './users-permissions-role.js';
import { USERS_PERMISSIONS_USER } from './users-permissions-user.js';

export const FILE_UID = 'plugin::upload.file';
export const USER_UID = 'plugin::users-permissions.user';
export const ROLE_UID = 'plugin::users-permissions.role';
export const PERMISSION_UID = 'plugin::users-permissions.permission';

/** The schemas of the built-in content-types. */
export const BUILTIN_SCHEMAS: Readonly<Record<Uid, Readonly<Record<string, unknown>>>> = {
  [FILE_UID]: UPLOAD_FILE,
  [PERMISSION_UID]: USERS_PERMISSIONS_PERMISSION,
  [ROLE_UID]: USERS_PERMISSIONS_ROLE,
  [USER_UID]: USERS_PERMISSIONS_USER,
};
