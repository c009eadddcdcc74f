/** A user of the API. */
export const USERS_PERMISSIONS_USER = {
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
