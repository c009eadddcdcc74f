import { AUTH_CONTROLLER, PERMISSIONS_CONTROLLER } from '../../../access/permissions/actions.js';
import type { AccountSettings } from '../../../config/account-settings.js';
import { ROLE_UID, USER_UID } from '../../../model/content-types/builtin-types.js';
import type { Route } from './route.js';

/** An endpoint of users, roles or signing in, without the prefix and the name of its operation. */
type AccountRouteDefinition = Omit<Route, 'contentType' | 'operation'>;

const AUTH_ROUTES = {
  login: {
    method: 'POST',
    path: '/auth/local',
    guard: { uid: AUTH_CONTROLLER, action: 'callback' },
    limitedOperation: 'login',
    description: 'Sign in with a name or e-mail address and a password',
  },
  register: {
    method: 'POST',
    path: '/auth/local/register',
    guard: { uid: AUTH_CONTROLLER, action: 'register' },
    limitedOperation: 'register',
    description: 'Sign up',
  },
  forgotPassword: {
    method: 'POST',
    path: '/auth/forgot-password',
    guard: { uid: AUTH_CONTROLLER, action: 'forgotPassword' },
    limitedOperation: 'forgotPassword',
    description: 'Request a code for a new password by e-mail',
  },
  resetPassword: {
    method: 'POST',
    path: '/auth/reset-password',
    guard: { uid: AUTH_CONTROLLER, action: 'resetPassword' },
    limitedOperation: 'resetPassword',
    description: 'Set a new password with a code',
  },
  changePassword: {
    method: 'POST',
    path: '/auth/change-password',
    guard: { uid: AUTH_CONTROLLER, action: 'changePassword' },
    limitedOperation: 'changePassword',
    description: 'Change the password of the signed-in user',
  },
  confirmEmail: {
    method: 'GET',
    path: '/auth/email-confirmation',
    guard: { uid: AUTH_CONTROLLER, action: 'emailConfirmation' },
    limitedOperation: 'confirmEmail',
    description: 'Confirm an e-mail address with a code',
  },
  sendConfirmation: {
    method: 'POST',
    path: '/auth/send-email-confirmation',
    guard: { uid: AUTH_CONTROLLER, action: 'sendEmailConfirmation' },
    limitedOperation: 'sendConfirmation',
    description: 'Request another code for the confirmation of an e-mail address',
  },
  connect: {
    method: 'GET',
    path: '/connect/:provider',
    guard: { uid: AUTH_CONTROLLER, action: 'connect' },
    limitedOperation: 'connect',
    description: 'Redirect to another service to sign in',
  },
  connectCallback: {
    method: 'GET',
    path: '/connect/:provider/callback',
    guard: { uid: AUTH_CONTROLLER, action: 'connect' },
    limitedOperation: 'connect',
    description: 'Complete a sign-in with another service',
  },
  providerCallback: {
    method: 'GET',
    path: '/auth/:provider/callback',
    guard: { uid: AUTH_CONTROLLER, action: 'callback' },
    limitedOperation: 'providerCallback',
    description: 'Sign in with an access token of another service',
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh',
    guard: 'none',
    limitedOperation: 'refresh',
    description: 'Exchange a refresh token for a new JWT',
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    guard: 'credential',
    description: 'Sign the user out: the JWT and its session become invalid',
  },
} as const satisfies Readonly<Record<string, AccountRouteDefinition>>;

const USER_ROUTES = {
  findUsers: {
    method: 'GET',
    path: '/users',
    guard: { uid: USER_UID, action: 'find' },
    description: 'List users',
  },
  countUsers: {
    method: 'GET',
    path: '/users/count',
    guard: { uid: USER_UID, action: 'count' },
    description: 'Count users',
  },
  me: {
    method: 'GET',
    path: '/users/me',
    guard: { uid: USER_UID, action: 'me' },
    description: 'Read the signed-in user',
  },
  findUser: {
    method: 'GET',
    path: '/users/:id',
    guard: { uid: USER_UID, action: 'findOne' },
    description: 'Read one user',
  },
  createUser: {
    method: 'POST',
    parameters: ['fields', 'populate'],
    path: '/users',
    guard: { uid: USER_UID, action: 'create' },
    description: 'Create a user',
  },
  updateUser: {
    method: 'PUT',
    parameters: ['fields', 'populate'],
    path: '/users/:id',
    guard: { uid: USER_UID, action: 'update' },
    description: 'Update a user',
  },
  destroyUser: {
    method: 'DELETE',
    parameters: ['fields', 'populate'],
    path: '/users/:id',
    guard: { uid: USER_UID, action: 'destroy' },
    description: 'Delete a user',
  },
} as const satisfies Readonly<Record<string, AccountRouteDefinition>>;

const ROLES_PATH = '/users-permissions/roles';

const ROLE_ROUTES = {
  findRoles: {
    method: 'GET',
    path: ROLES_PATH,
    guard: { uid: ROLE_UID, action: 'find' },
    description: 'List roles',
  },
  findRole: {
    method: 'GET',
    path: `${ROLES_PATH}/:id`,
    guard: { uid: ROLE_UID, action: 'findOne' },
    description: 'Read one role with its permissions',
  },
  createRole: {
    method: 'POST',
    bodyKeys: ['name', 'description', 'type', 'permissions'],
    path: ROLES_PATH,
    guard: { uid: ROLE_UID, action: 'createRole' },
    description: 'Create a role',
  },
  updateRole: {
    method: 'PUT',
    bodyKeys: ['name', 'description', 'type', 'permissions'],
    path: `${ROLES_PATH}/:id`,
    guard: { uid: ROLE_UID, action: 'updateRole' },
    description: 'Update a role and its permissions',
  },
  deleteRole: {
    method: 'DELETE',
    path: `${ROLES_PATH}/:id`,
    guard: { uid: ROLE_UID, action: 'deleteRole' },
    description: 'Delete a role',
  },
  getPermissions: {
    method: 'GET',
    path: '/users-permissions/permissions',
    guard: { uid: PERMISSIONS_CONTROLLER, action: 'getPermissions' },
    description: 'List all actions that can be granted',
  },
} as const satisfies Readonly<Record<string, AccountRouteDefinition>>;

type AuthOperation = keyof typeof AUTH_ROUTES;
type UserOperation = keyof typeof USER_ROUTES;
type RoleOperation = keyof typeof ROLE_ROUTES;
export type AccountOperation = AuthOperation | UserOperation | RoleOperation;

const compile = <Operation extends AccountOperation>(
  routes: Readonly<Record<Operation, AccountRouteDefinition>>,
  prefix: string,
  contentType: string,
): readonly Route<Operation>[] =>
  (Object.keys(routes) as Operation[]).map((operation) => {
    const route = routes[operation];
    return { ...route, path: `${prefix}${route.path}`, contentType, operation };
  });

/** Returns the endpoints for signing up and in, users and roles. */
export function accountRoutes(
  prefix: string,
  { mode }: Pick<AccountSettings, 'mode'>,
): readonly Route<AccountOperation>[] {
  return [
    ...compile(AUTH_ROUTES, prefix, USER_UID).filter(
      ({ operation }) => mode === 'refresh' || operation !== 'refresh',
    ),
    ...compile(USER_ROUTES, prefix, USER_UID),
    ...compile(ROLE_ROUTES, prefix, ROLE_UID),
  ];
}
