import { changeUser } from '../../../access/accounts/change-user.js';
import { createUser } from '../../../access/accounts/create-user.js';
import type { UserWriteOptions } from '../../../access/accounts/account-context.js';
import { removeUserAs } from '../../../access/accounts/remove-user.js';
import { requireUserById } from '../../../access/accounts/require-user.js';
import { USER_UID } from '../../../model/content-types/builtin/registry.js';
import { isRecord } from '../../../lib/is-record.js';
import { parseRecordId } from '../../../lib/record-id.js';
import type { ContentType } from '../../../model/model.js';
import { typeOf } from '../../../model/lookup.js';
import type { PluginMutationCall } from '../graphql-context.js';
import { planRootSelection, responseAction } from '../selection/plan-read.js';
import { toData } from '../selection/to-data.js';
import { parseRecord } from './root-field.js';

const userType = ({ context }: PluginMutationCall): ContentType =>
  typeOf(context.dependencies.model, USER_UID);

const readOptionsOf = (call: PluginMutationCall, action: string): UserWriteOptions => {
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

const dataOf = (call: PluginMutationCall): Readonly<Record<string, unknown>> => {
  const data = toData(call.context.dependencies.model, userType(call), call.args['data']);
  if (!isRecord(data)) return {};
  const { role } = data;
  // GraphQL's ID is text, but a role is referred to by a numeric id.
  const roleId = parseRecordId(role);
  return roleId === null ? data : { ...data, role: roleId };
};

/** Returns the document id of the user with the numeric id in the arguments. Throws `request/not-found`. */
const requireDocumentId = async ({ args, context }: PluginMutationCall): Promise<string> =>
  (await requireUserById(context.dependencies.accounts.users, args['id'])).documentId;

/** Resolves `createUsersPermissionsUser`. */
export async function addUser(call: PluginMutationCall): Promise<unknown> {
  const { record } = await createUser(
    call.context.dependencies.accounts,
    dataOf(call),
    readOptionsOf(call, 'create'),
  );
  return { data: parseRecord(record) };
}

/** Resolves `updateUsersPermissionsUser`. */
export async function updateUser(call: PluginMutationCall): Promise<unknown> {
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
export async function deleteUser(call: PluginMutationCall): Promise<unknown> {
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
