import type { Uid } from '../../lib/ids.js';

/** An uploaded file, the target of media attributes. */
const UPLOAD_FILE = {
  kind: 'collectionType',
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string', required: true, configurable: false },
    alternativeText: { type: 'text', configurable: false },
    caption: { type: 'text', configurable: false },
    focalPoint: { type: 'json', configurable: false },
    width: { type: 'integer', configurable: false },
    height: { type: 'integer', configurable: false },
    formats: { type: 'json', configurable: false },
    hash: { type: 'string', required: true, configurable: false },
    ext: { type: 'string', configurable: false },
    mime: { type: 'string', required: true, configurable: false },
    size: { type: 'decimal', required: true, configurable: false },
    url: { type: 'text', required: true, configurable: false },
    previewUrl: { type: 'text', configurable: false },
    provider: { type: 'string', required: true, configurable: false },
    provider_metadata: { type: 'json', configurable: false },
  },
} as const;

/** An action that a role may perform: `api::article.article.find`. */
const USERS_PERMISSIONS_PERMISSION = {
  kind: 'collectionType',
  collectionName: 'up_permissions',
  info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
  options: { draftAndPublish: false },
  attributes: {
    action: { type: 'string', required: true, configurable: false },
    // Names of the attributes the action is limited to; null: all.
    fields: { type: 'json', private: true, configurable: false },
    // The filter that limits its documents, in the filter language. Null: all documents.
    conditions: { type: 'json', private: true, configurable: false },
    // The locales and the status that it is limited to. Null: all.
    limits: { type: 'json', private: true, configurable: false },
    role: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::users-permissions.role',
      inversedBy: 'permissions',
      configurable: false,
    },
  },
} as const;

/** A set of permissions, assigned to users. */
const USERS_PERMISSIONS_ROLE = {
  kind: 'collectionType',
  collectionName: 'up_roles',
  info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string', minLength: 3, required: true, configurable: false },
    description: { type: 'string', configurable: false },
    type: { type: 'string', unique: true, configurable: false },
    permissions: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'plugin::users-permissions.permission',
      mappedBy: 'role',
      configurable: false,
    },
    users: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'plugin::users-permissions.user',
      mappedBy: 'role',
      configurable: false,
    },
  },
} as const;

/** A user of the API. */
const USERS_PERMISSIONS_USER = {
  kind: 'collectionType',
  collectionName: 'up_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: { draftAndPublish: false },
  attributes: {
    username: { type: 'string', minLength: 3, unique: true, required: true, configurable: false },
    email: { type: 'email', minLength: 6, unique: true, required: true, configurable: false },
    provider: { type: 'string', default: 'local', configurable: false },
    password: { type: 'password', minLength: 6, private: true, configurable: false },
    resetPasswordToken: { type: 'string', private: true, configurable: false },
    confirmationToken: { type: 'string', private: true, configurable: false },
    confirmed: { type: 'boolean', default: false, configurable: false },
    blocked: { type: 'boolean', default: false, configurable: false },
    role: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::users-permissions.role',
      inversedBy: 'users',
      configurable: false,
    },
  },
} as const;

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
