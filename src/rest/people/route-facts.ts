import type { TriedOperation } from '../../access/tries.js';
import type { PeopleSettings } from '../../config/people.js';
import type { PeopleRoute } from './route.js';

type Facts = Omit<PeopleRoute, 'handler'>;

const AUTH = 'plugin::users-permissions.auth';
const USER = 'plugin::users-permissions.user';
const ROLE = 'plugin::users-permissions.role';

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
  findUsers: plain('GET', '/users', USER, 'find'),
  countUsers: plain('GET', '/users/count', USER, 'count'),
  me: plain('GET', '/users/me', USER, 'me'),
  findUser: plain('GET', '/users/:id', USER, 'findOne'),
  createUser: plain('POST', '/users', USER, 'create'),
  updateUser: plain('PUT', '/users/:id', USER, 'update'),
  destroyUser: plain('DELETE', '/users/:id', USER, 'destroy'),
  findRoles: plain('GET', '/users-permissions/roles', ROLE, 'find'),
  findRole: plain('GET', '/users-permissions/roles/:id', ROLE, 'findOne'),
  createRole: plain('POST', '/users-permissions/roles', ROLE, 'createRole'),
  updateRole: plain('PUT', '/users-permissions/roles/:id', ROLE, 'updateRole'),
  deleteRole: plain('DELETE', '/users-permissions/roles/:id', ROLE, 'deleteRole'),
  getPermissions: plain('GET', '/users-permissions/permissions', 'plugin::users-permissions.permissions', 'getPermissions'),
} as const satisfies Readonly<Record<string, Facts>>;

export type PeopleOperation = keyof typeof PEOPLE_ROUTES;

const NEEDS_SESSIONS: ReadonlySet<string> = new Set<PeopleOperation>(['refresh', 'logout']);

/** The operations that have an endpoint: refresh tokens only where a project uses them. */
export function peopleOperations({ mode }: Pick<PeopleSettings, 'mode'>): readonly PeopleOperation[] {
  const all = Object.keys(PEOPLE_ROUTES) as PeopleOperation[];
  return mode === 'refresh' ? all : all.filter((name) => !NEEDS_SESSIONS.has(name));
}
