import type { TriedOperation } from '../../access/tries.js';
import type { PeopleSettings } from '../../config/people.js';
import { ROLE_UID, USER_UID } from '../../content-types/builtin/registry.js';
import type { PeopleRoute } from './route.js';

type Facts = Omit<PeopleRoute, 'handler'>;

const AUTH = 'plugin::users-permissions.auth';

const auth = (path: string, action: string, limit: TriedOperation, method: Facts['method'] = 'POST'): Facts =>
  ({ method, path: `/auth/${path}`, grant: { uid: AUTH, action }, limit });

const plain = (method: Facts['method'], path: string, uid: string, action: string): Facts => ({ method, path, grant: { uid, action }, limit: null });

/** Every endpoint about people but for what it does, by the name of what it does. */
export const PEOPLE_ROUTES = {
  login: auth('local', 'callback', 'login'),
  register: auth('local/register', 'register', 'register'),
  forgotPassword: auth('forgot-password', 'forgotPassword', 'forgotPassword'),
  resetPassword: auth('reset-password', 'resetPassword', 'resetPassword'),
  changePassword: auth('change-password', 'changePassword', 'changePassword'),
  confirmEmail: auth('email-confirmation', 'emailConfirmation', 'confirmEmail', 'GET'),
  sendConfirmation: auth('send-email-confirmation', 'sendEmailConfirmation', 'sendConfirmation'),
  refresh: { method: 'POST', path: '/auth/refresh', grant: null, limit: 'refresh' },
  logout: { method: 'POST', path: '/auth/logout', grant: 'credential', limit: null },
  findUsers: plain('GET', '/users', USER_UID, 'find'),
  countUsers: plain('GET', '/users/count', USER_UID, 'count'),
  me: plain('GET', '/users/me', USER_UID, 'me'),
  findUser: plain('GET', '/users/:id', USER_UID, 'findOne'),
  createUser: plain('POST', '/users', USER_UID, 'create'),
  updateUser: plain('PUT', '/users/:id', USER_UID, 'update'),
  destroyUser: plain('DELETE', '/users/:id', USER_UID, 'destroy'),
  findRoles: plain('GET', '/users-permissions/roles', ROLE_UID, 'find'),
  findRole: plain('GET', '/users-permissions/roles/:id', ROLE_UID, 'findOne'),
  createRole: plain('POST', '/users-permissions/roles', ROLE_UID, 'createRole'),
  updateRole: plain('PUT', '/users-permissions/roles/:id', ROLE_UID, 'updateRole'),
  deleteRole: plain('DELETE', '/users-permissions/roles/:id', ROLE_UID, 'deleteRole'),
  getPermissions: plain('GET', '/users-permissions/permissions', 'plugin::users-permissions.permissions', 'getPermissions'),
} as const satisfies Readonly<Record<string, Facts>>;

export type PeopleOperation = keyof typeof PEOPLE_ROUTES;

const NEEDS_SESSIONS: ReadonlySet<string> = new Set<PeopleOperation>(['refresh', 'logout']);

/** The operations that have an endpoint: refresh tokens only where a project uses them. */
export function peopleOperations({ mode }: Pick<PeopleSettings, 'mode'>): readonly PeopleOperation[] {
  const all = Object.keys(PEOPLE_ROUTES) as PeopleOperation[];
  return mode === 'refresh' ? all : all.filter((name) => !NEEDS_SESSIONS.has(name));
}
