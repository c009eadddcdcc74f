import { createRole } from '../../../access/roles/create-role.js';
import { requireRoleById } from '../../../access/roles/find-roles.js';
import { removeRole } from '../../../access/roles/remove-role.js';
import {
  assertMayAssignUsers,
  assertSameType,
  parseRoleValues,
  resolvePermissions,
} from '../../../access/roles/role-values.js';
import type { RoleValues } from '../../../access/roles/role-values.js';
import { updateRole } from '../../../access/roles/update-role.js';
import type { RoleContext, RoleRecord } from '../../../access/access.js';
import { isRecord } from '../../../lib/is-record.js';
import type { PluginMutationCall } from '../graphql-context.js';

interface RoleInput extends RoleValues {
  /** Full names of everything the role may do; undefined: as before. */
  readonly actions: readonly string[] | undefined;
  /** All users who have the role; undefined: as before. */
  readonly users: readonly string[] | undefined;
}

const contextOf = ({ context }: PluginMutationCall): RoleContext => context.dependencies.accounts;

const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

const inputOf = async (call: PluginMutationCall, role: RoleRecord | null): Promise<RoleInput> => {
  const { args, context } = call;
  const data = isRecord(args['data']) ? args['data'] : {};
  const permissions = textsOf(data['permissions']);
  const actions =
    permissions === undefined ? undefined : await resolvePermissions(contextOf(call), role, permissions);
  const users = textsOf(data['users']);
  if (users !== undefined) assertMayAssignUsers(context.dependencies.access, context.caller);
  return { ...parseRoleValues(data), actions, users };
};

const OK = { ok: true };

/** Resolves `createUsersPermissionsRole`. */
export async function addRole(call: PluginMutationCall): Promise<typeof OK> {
  const { name = '', ...rest } = await inputOf(call, null);
  await createRole(contextOf(call), { name, ...rest });
  return OK;
}

/** Resolves `updateUsersPermissionsRole`. */
export async function changeRole(call: PluginMutationCall): Promise<typeof OK> {
  const role = await requireRoleById(contextOf(call), call.args['id']);
  const values = await inputOf(call, role);
  assertSameType(role, values);
  const { name, description, actions, users } = values;
  await updateRole(contextOf(call), { role: role.type, name, description, actions, users });
  return OK;
}

/** Resolves `deleteUsersPermissionsRole`. Users with the role are left without one. */
export async function deleteRole(call: PluginMutationCall): Promise<typeof OK> {
  const { type } = await requireRoleById(contextOf(call), call.args['id']);
  await removeRole(contextOf(call), { role: type, acceptDataLoss: true });
  return OK;
}
