/** An action that a role may perform: `api::article.article.find`. */
export const USERS_PERMISSIONS_PERMISSION = {
  kind: 'collectionType',
  collectionName: 'up_permissions',
  info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
  options: { draftAndPublish: false },
  attributes: {
    action: { type: 'string', required: true, configurable: false },
    // Names of the attributes the action is limited to; null: all.
    fields: { type: 'json', private: true, configurable: false },
    // Which documents it is limited to, in the filter language; null: all.
    conditions: { type: 'json', private: true, configurable: false },
    role: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::users-permissions.role',
      inversedBy: 'permissions',
      configurable: false,
    },
  },
} as const;
