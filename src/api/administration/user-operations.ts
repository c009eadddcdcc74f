import * as v from 'valibot';
import type { AccessContext } from '../../access/access.js';
import { userSelection } from '../../access/accounts/account-context.js';
import { compileUserReader } from '../../access/accounts/user-reader.js';
import type { UserState } from '../../access/accounts/user-reader.js';
import {
  assertIdentifiersAvailable,
  changeUser,
  createUser,
  listUsers,
  removeUser,
} from '../../access/accounts/users.js';
import { listRoles } from '../../access/roles/role-tables.js';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { DRY_RUN, FLAG, TEXT, operation } from './operation.js';

const requireUser = async ({ database, model }: AccessContext, identifier: string): Promise<UserState> => {
  const user = await compileUserReader(database, model).byIdentifier(identifier);
  if (user === null) throw createError('access/unknown-user', { user: identifier });
  return user;
};

const requireRole = async (access: AccessContext, name: string) => {
  const [found] = await listPermissions(access, name);
  return defined(found, 'the role').role;
};

/** The name or the e-mail address of a user. */
const USER = { user: TEXT };

/** Operations on API users. Passwords are never returned. */
export const USER_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List API users, or those of one role',
    input: v.strictObject({ role: v.exactOptional(TEXT) }),
    run: ({ access }, { role }) => listUsers(access, role),
  }),
  get: operation({
    action: 'read',
    description: 'Read an API user by name or e-mail address',
    input: v.strictObject(USER),
    run: async ({ access }, { user: identifier }) => {
      const { id, documentId, username, email, confirmed, blocked, roleDocumentId } = await requireUser(
        access,
        identifier,
      );
      const roles = await listRoles(access);
      const role = roles.find((candidate) => candidate.documentId === roleDocumentId)?.type ?? null;
      return { id, documentId, username, email, confirmed, blocked, role };
    },
  }),
  check: operation({
    action: 'read',
    description: 'Check that no other API user has a name or an e-mail address',
    input: v.strictObject({ username: v.exactOptional(TEXT), email: v.exactOptional(TEXT) }),
    run: async ({ access: { database, model } }, identifiers) => {
      await assertIdentifiersAvailable({ users: compileUserReader(database, model) }, identifiers);
      return null;
    },
  }),
  create: operation({
    action: 'write',
    description: 'Create an API user who can sign in immediately',
    input: v.strictObject({
      username: TEXT,
      email: TEXT,
      password: TEXT,
      role: TEXT,
      confirmed: FLAG,
      ...DRY_RUN,
    }),
    run: async ({ access, withUsers }, { dryRun = false, role: roleName, ...values }) => {
      const role = await requireRole(access, roleName);
      if (dryRun) return { documentId: null, role: role.type };
      return withUsers(async (context) => {
        const user = { ...values, provider: 'local', blocked: false, role: role.documentId };
        const selection = userSelection(access.model);
        const { documentId } = await createUser(context, user, { selection });
        return { documentId, role: role.type };
      });
    },
  }),
  change: operation({
    action: 'write',
    description: 'Block or unblock an API user, or change the password or the role',
    input: v.strictObject({
      ...USER,
      blocked: v.exactOptional(FLAG),
      password: v.exactOptional(TEXT),
      role: v.exactOptional(TEXT),
      ...DRY_RUN,
    }),
    run: async ({ access, withUsers }, { user: identifier, dryRun = false, role: roleName, ...values }) => {
      const { username, documentId } = await requireUser(access, identifier);
      const role = roleName === undefined ? null : await requireRole(access, roleName);
      const changed = { username, documentId, role: role?.type ?? null };
      if (dryRun) return changed;
      const changes = { ...values, ...(role === null ? {} : { role: role.documentId }) };
      const selection = userSelection(access.model);
      await withUsers((context) => changeUser(context, documentId, changes, { selection }));
      return changed;
    },
  }),
  remove: operation({
    action: 'write',
    description: 'Remove an API user',
    input: v.strictObject(USER),
    run: async ({ access, withUsers }, { user: identifier }) => {
      const { documentId } = await requireUser(access, identifier);
      await withUsers((context) => removeUser(context, documentId));
      return null;
    },
  }),
} as const;
