import type { RoleRecord } from '../../../access/access.js';
import { revokeUserCodes } from '../../../access/accounts/codes.js';
import { sendConfirmationMessage, isCorrectPassword } from '../../../access/accounts/local-accounts.js';
import { issueCodeJwt, readJwt, requireJwtSecret } from '../../../access/credentials.js';
import { endUserSessions } from '../../../access/accounts/sessions.js';
import { listActionGroups } from '../../../access/permissions/actions.js';
import { listPermissions } from '../../../access/permissions/role-permissions.js';
import { createRole, removeRole, updateRole } from '../../../access/roles/write-roles.js';
import { requireRoleById } from '../../../access/roles/role-tables.js';
import { parsePermissionTree, printPermissionTree } from '../../../api/rest/accounts/role-handlers.js';
import { interpolate } from '../../../lib/text.js';
import { isRecord } from '../../../lib/records.js';
import { ROLE_UID, USER_UID } from '../../../model/content-types/builtin-types.js';
import { passwordField } from '../../../model/fields/password.js';
import { typeOf } from '../../../model/lookup.js';
import { SERVICE_PARAMS, assertParams } from '../../database/call-params.js';
import { toQueryParams } from '../plugin-host.js';
import type { Entry, PluginHost, QueryParams } from '../plugin-host.js';

const BEARER = /^bearer\s+(\S+)$/i;

const authorizationOf = (context: unknown): string => {
  const request: unknown = isObject(context) ? Reflect.get(context, 'request') : undefined;
  const header: unknown = isObject(request) ? Reflect.get(request, 'header') : undefined;
  const value: unknown = isObject(header) ? Reflect.get(header, 'authorization') : undefined;
  return typeof value === 'string' ? value : '';
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Creates the service `jwt` of users-permissions. */
export function createJwtService({ accounts }: PluginHost) {
  const secret = (): string => requireJwtSecret(accounts.jwtSecret);
  const verify = async (token: string): Promise<Readonly<Record<string, unknown>>> => {
    const claims = readJwt(token, secret());
    if (claims === null) throw new Error('Invalid token.');
    return claims;
  };
  return {
    /**
     * Signs a token synchronously, as Strapi does. It is valid until it expires, even if the password
     * changes.
     */
    issue: (payload: unknown, options: unknown = {}): string =>
      issueCodeJwt(
        isRecord(payload) ? payload : {},
        secret(),
        isRecord(options) ? { expiresIn: accounts.settings.jwtLifetime, ...options } : {},
      ),
    verify,
    getToken: async (context: unknown): Promise<unknown> => {
      const [, token] = BEARER.exec(authorizationOf(context)) ?? [];
      return token === undefined ? null : verify(token);
    },
  };
}

/** Creates the service `users-permissions` of the plugin of that name. */
export function createPermissionsService({ model, query }: PluginHost) {
  return {
    getActions: ({ defaultEnable = false } = {}): unknown => {
      const groups = listActionGroups(model);
      const granted = defaultEnable
        ? groups.flatMap(({ uid, actions }) => actions.map((action) => `${uid}.${action}`))
        : [];
      return printPermissionTree(groups, granted);
    },
    /** Does nothing: roles and permissions exist from the first migration on, and are never removed. */
    initialize: async (): Promise<void> => undefined,
    syncPermissions: async (): Promise<void> => undefined,
    updateUserRole: ({ id }: Entry, role: unknown): Promise<Entry | null> =>
      query(USER_UID).update({ where: { id }, data: { role } }),
    template: interpolate,
  };
}

/** The data of a role in Strapi's form. */
interface RoleParams {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly permissions?: unknown;
}

const assertKnown = (method: string, params: RoleParams): void =>
  assertParams(
    {
      call: `strapi.plugin('users-permissions').service('role').${method}`,
      options: SERVICE_PARAMS['users-permissions.role createRole, updateRole'],
    },
    params,
  );

const actionsOf = ({ permissions }: RoleParams): readonly string[] | undefined =>
  permissions === undefined ? undefined : parsePermissionTree(permissions);

/** Creates the service `role` of users-permissions, which changes roles as `cms role` does. */
export function createRoleService({ model, database, query }: PluginHost) {
  const context = { model, database };
  const requireRole = (id: unknown): Promise<RoleRecord> => requireRoleById(context, String(id));
  return {
    find: async (): Promise<readonly Entry[]> => {
      const roles = await query(ROLE_UID).findMany({ orderBy: { id: 'asc' } });
      const counts = roles.map(({ id }) => query(USER_UID).count({ where: { role: { id } } }));
      const numbers = await Promise.all(counts);
      return roles.map((role, index) => ({ ...role, nb_users: numbers[index] }));
    },
    findOne: async (id: unknown): Promise<unknown> => {
      const role = await requireRole(id);
      const row = await query(ROLE_UID).findOne({ where: { documentId: role.documentId } });
      const [{ actions } = { actions: [] }] = await listPermissions(context, role.type);
      return { ...row, permissions: printPermissionTree(listActionGroups(model), actions) };
    },
    createRole: async (params: RoleParams): Promise<void> => {
      assertKnown('createRole', params);
      const { name = '', description, type } = params;
      await createRole(context, { name, description, type, actions: actionsOf(params) });
    },
    updateRole: async (id: unknown, params: RoleParams): Promise<void> => {
      assertKnown('updateRole', params);
      const { type } = await requireRole(id);
      const { name, description } = params;
      await updateRole(context, { role: type, name, description, actions: actionsOf(params) });
    },
    deleteRole: async (id: unknown, heirId?: unknown): Promise<void> => {
      const { type, documentId } = await requireRole(id);
      if (heirId !== undefined) {
        const users = await query(USER_UID).findMany({ where: { role: { documentId } } });
        for (const user of users)
          await query(USER_UID).update({ where: { id: user.id }, data: { role: heirId } });
      }
      await removeRole(context, { role: type, acceptDataLoss: true });
    },
  };
}

type UserValues = Record<string, unknown>;

/** Matches a hash of bcrypt. */
const HASH = /^\$2[aby]\$\d\d\$.{53}$/;

const hashPassword = async (password: string): Promise<unknown> =>
  HASH.test(password) ? password : passwordField.hash?.(password);

/**
 * Ends the sessions of a user whose password has changed or who is blocked, and revokes codes that were sent
 * for the old password or address.
 */
const endUserAccess = async (
  { accounts }: PluginHost,
  { documentId }: UserValues,
  { password, email, blocked }: UserValues,
): Promise<void> => {
  if (typeof documentId !== 'string') return;
  if (password !== undefined || blocked === true) await endUserSessions(accounts, documentId);
  if (email !== undefined) await revokeUserCodes(accounts, documentId);
  else if (password !== undefined) await revokeUserCodes(accounts, documentId, 'reset-password');
};

/** The values that are set for a user who is removed. */
const REMOVED: UserValues = { blocked: true, email: null };

/** Creates the service `user` of users-permissions. */
export function createUserService(host: PluginHost) {
  const { model, accounts } = host;
  const users = () => host.query(USER_UID);
  const passwords = Object.values(typeOf(model, USER_UID).attributes)
    .filter(({ type }) => type === 'password')
    .map(({ name }) => name);
  const ensureHashedPasswords = async (values: UserValues): Promise<UserValues> => {
    for (const name of passwords) {
      const value = values[name];
      if (typeof value === 'string') values[name] = await hashPassword(value);
    }
    return values;
  };
  const count = (where?: QueryParams): Promise<number> => users().count({ where });
  return {
    ensureHashedPasswords,
    hashPassword,
    validatePassword: isCorrectPassword,
    count,
    countUsers: count,
    add: async (values: UserValues): Promise<Entry> =>
      users().create({ data: await ensureHashedPasswords({ ...values }), populate: ['role'] }),
    edit: async (id: unknown, values: UserValues = {}): Promise<Entry | null> => {
      const data = await ensureHashedPasswords({ ...values });
      const user = await users().update({ where: { id }, data, populate: ['role'] });
      if (user !== null) await endUserAccess(host, user, data);
      return user;
    },
    fetch: (id: unknown, params?: QueryParams): Promise<Entry | null> => {
      const { where = {}, ...query } = toQueryParams(params);
      return users().findOne({ ...query, where: { $and: [{ id }, where] } });
    },
    fetchAuthenticatedUser: (id: unknown): Promise<Entry | null> =>
      users().findOne({ where: { id }, populate: ['role'] }),
    fetchAll: (params?: QueryParams): Promise<readonly Entry[]> => users().findMany(toQueryParams(params)),
    remove: async (where: QueryParams): Promise<Entry | null> => {
      const user = await users().delete({ where });
      if (user !== null) await endUserAccess(host, user, REMOVED);
      return user;
    },
    sendConfirmationEmail: async ({ id }: Entry): Promise<void> => {
      const user = await accounts.users.byId(Number(id));
      if (user !== null) await sendConfirmationMessage(accounts, user);
    },
  };
}
