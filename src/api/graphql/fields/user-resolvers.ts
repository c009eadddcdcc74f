import type { RoleContext, RoleRecord } from '../../../access/access.js';
import { requireUserById } from '../../../access/accounts/account-context.js';
import type { UserWriteOptions } from '../../../access/accounts/account-context.js';
import { changeUser, createUser, removeUserAs } from '../../../access/accounts/users.js';
import { requireRoleById } from '../../../access/roles/role-tables.js';
import {
  assertMayAssignUsers,
  assertSameType,
  parseRoleValues,
  resolvePermissions,
} from '../../../access/roles/role-values.js';
import type { RoleValues } from '../../../access/roles/role-values.js';
import { createRole, removeRole, updateRole } from '../../../access/roles/write-roles.js';
import { isRecord } from '../../../lib/records.js';
import { parseRecordId } from '../../../lib/ids.js';
import { USER_UID } from '../../../model/content-types/builtin-types.js';
import { typeOf } from '../../../model/lookup.js';
import type { ContentType } from '../../../model/model.js';
import { toData } from '../selection/decode-input.js';
import { planRootSelection, responseAction } from '../selection/plan-read.js';
import { parseRecord } from './root-field.js';
import type { AuthorisedCall } from './root-field.js';

interface RoleInput extends RoleValues {
  /** Full names of all actions of the role; undefined: unchanged. */
  readonly actions: readonly string[] | undefined;
  /** All users with the role; undefined: unchanged. */
  readonly users: readonly string[] | undefined;
}

const contextOf = ({ context }: AuthorisedCall): RoleContext => context.dependencies.accounts;

const stringsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

const parseRoleInput = async (call: AuthorisedCall, role: RoleRecord | null): Promise<RoleInput> => {
  const { args, context } = call;
  const data = isRecord(args['data']) ? args['data'] : {};
  const permissions = stringsOf(data['permissions']);
  const actions =
    permissions === undefined ? undefined : await resolvePermissions(contextOf(call), role, permissions);
  const users = stringsOf(data['users']);
  if (users !== undefined) assertMayAssignUsers(context.dependencies.access, context.caller);
  return { ...parseRoleValues(data), actions, users };
};

const OK = { ok: true };

/** Resolves `createUsersPermissionsRole`. */
export async function addRole(call: AuthorisedCall): Promise<typeof OK> {
  const { name = '', ...rest } = await parseRoleInput(call, null);
  await createRole(contextOf(call), { name, ...rest });
  return OK;
}

/** Resolves `updateUsersPermissionsRole`. */
export async function changeRole(call: AuthorisedCall): Promise<typeof OK> {
  const role = await requireRoleById(contextOf(call), call.args['id']);
  const values = await parseRoleInput(call, role);
  assertSameType(role, values);
  const { name, description, actions, users } = values;
  await updateRole(contextOf(call), { role: role.type, name, description, actions, users });
  return OK;
}

/** Resolves `deleteUsersPermissionsRole`. Users with the role then have none. */
export async function deleteRole(call: AuthorisedCall): Promise<typeof OK> {
  const { type } = await requireRoleById(contextOf(call), call.args['id']);
  await removeRole(contextOf(call), { role: type, acceptDataLoss: true });
  return OK;
}

const userType = ({ context }: AuthorisedCall): ContentType => typeOf(context.dependencies.model, USER_UID);

const readOptionsOf = (call: AuthorisedCall, action: string): UserWriteOptions => {
  const type = userType(call);
  const { context, info } = call;
  return {
    access: context.rights,
    selection: planRootSelection({
      context,
      info,
      type,
      action: responseAction(context, type, action),
      recordsField: 'data',
    }),
  };
};

const dataOf = (call: AuthorisedCall): Readonly<Record<string, unknown>> => {
  const data = toData(call.context.dependencies.model, userType(call), call.args['data']);
  if (!isRecord(data)) return {};
  const { role } = data;
  // GraphQL's ID is text, but roles have numeric ids.
  const roleId = parseRecordId(role);
  return roleId === null ? data : { ...data, role: roleId };
};

/** Returns the document id of the user with the numeric id in the arguments. Throws `request/not-found`. */
const requireDocumentId = async ({ args, context }: AuthorisedCall): Promise<string> =>
  (await requireUserById(context.dependencies.accounts.users, args['id'])).documentId;

/** Resolves `createUsersPermissionsUser`. */
export async function addUser(call: AuthorisedCall): Promise<unknown> {
  const { record } = await createUser(
    call.context.dependencies.accounts,
    dataOf(call),
    readOptionsOf(call, 'create'),
  );
  return { data: parseRecord(record) };
}

/** Resolves `updateUsersPermissionsUser`. */
export async function updateUser(call: AuthorisedCall): Promise<unknown> {
  const readOptions = readOptionsOf(call, 'update');
  return {
    data: parseRecord(
      await changeUser(
        call.context.dependencies.accounts,
        await requireDocumentId(call),
        dataOf(call),
        readOptions,
      ),
    ),
  };
}

/**
 * Resolves `deleteUsersPermissionsUser` to the removed user. For callers who may not find users, the record
 * has only its ids.
 */
export async function deleteUser(call: AuthorisedCall): Promise<unknown> {
  const {
    dependencies: { accounts, access },
    rights,
  } = call.context;
  const { selection } = readOptionsOf(call, 'destroy');
  const record = await removeUserAs(accounts, {
    documentId: await requireDocumentId(call),
    access: rights,
    selection,
    locale: access.locales.defaultCode(),
  });
  return { data: parseRecord(record) };
}
