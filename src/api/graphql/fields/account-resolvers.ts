import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { requireUserCaller, withOwnRole, requireUserById } from '../../../access/accounts/account-context.js';
import type {
  AccountContext,
  AccountResult,
  UserWriteOptions,
} from '../../../access/accounts/account-context.js';
import type { LimitedOperation } from '../../../access/accounts/attempts.js';
import {
  changePassword,
  forgotPassword,
  login,
  resetPassword,
  confirmEmail,
  register,
} from '../../../access/accounts/local-accounts.js';
import { isRecord } from '../../../lib/records.js';
import { USER_UID } from '../../../model/content-types/builtin-types.js';
import { fromClient, FULL_ACCESS } from '../../../query/read-access.js';
import { parseReadQuery, parseSelection } from '../../../query/parse/parse-read-query.js';
import { publishedQuery } from '../../../query/parse/server-queries.js';
import type { RoleContext, RoleRecord } from '../../../access/access.js';
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
import { parseRecordId } from '../../../lib/ids.js';
import { typeOf } from '../../../model/lookup.js';
import type { ContentType } from '../../../model/model.js';
import type { GraphqlContext } from '../graphql-context.js';
import { isProjectField, needsRecord } from '../schema/field-marks.js';
import { collectFields } from '../selection/plan-selection.js';
import { toData } from '../selection/decode-input.js';
import { planRootSelection, responseAction } from '../selection/plan-read.js';
import { parseRecord } from './root-field.js';
import type { AuthorisedCall } from './root-field.js';

const ROLE = 'role';

/**
 * Reads a user with the role. No permission is checked: in a response to signing in, the request's caller was
 * not that user yet.
 *
 * @param model by default without private attributes
 */
export async function readUserWithRole(
  { dependencies, limits }: GraphqlContext,
  documentId: string,
  model = dependencies.model,
): Promise<unknown> {
  const { access, documents } = dependencies;
  const selection = parseSelection(
    model,
    USER_UID,
    { populate: { [ROLE]: true } },
    { access: FULL_ACCESS, limits },
  );
  const query = publishedQuery(USER_UID, selection, { locale: access.locales.defaultCode() });
  const record = await documents.findOne(query, documentId);
  return record === null ? null : parseRecord(record);
}

interface RequestedFields {
  readonly names: readonly string[];
  /** True if project code needs all fields of the record. */
  readonly needsWholeRecord: boolean;
}

const requestedFieldsOf = (info: GraphQLResolveInfo): RequestedFields => {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return { names: [], needsWholeRecord: false };
  const requests = collectFields(info, type, info.fieldNodes).flatMap(({ name }) => {
    const field = type.getFields()[name];
    return field === undefined ? [] : [{ name, field }];
  });
  return {
    names: requests.filter(({ field }) => !isProjectField(field)).map(({ name }) => name),
    needsWholeRecord: requests.some(({ field }) => needsRecord(field)),
  };
};

/**
 * Resolves `me` to the signed-in user. The permission `me` decides which attributes are shown.
 *
 * @throws `request/unauthorized` for API tokens and anonymous callers
 */
export async function resolveMe({ context, info }: AuthorisedCall): Promise<unknown> {
  const {
    dependencies: { access, model, documents },
    caller,
    rights,
    limits,
  } = context;
  const { documentId } = requireUserCaller(caller);
  const { names, needsWholeRecord } = requestedFieldsOf(info);
  const raw = {
    fields: needsWholeRecord ? '*' : names.filter((name) => name !== ROLE),
    populate: names.includes(ROLE) ? [ROLE] : [],
  };
  const rightsWithRole = withOwnRole(rights);
  const query = parseReadQuery(model, USER_UID, raw, {
    access: rightsWithRole,
    limits,
    action: 'me',
    defaultLocale: access.locales.defaultCode(),
    paginated: false,
  });
  const request = { access: rightsWithRole, action: 'me' };
  const record = await documents.findOne(fromClient(query, request), documentId);
  return record === null ? null : parseRecord(record);
}

interface LoginPayload {
  readonly jwt: string | null;
  readonly user: unknown;
}

/** Returns the JWT, if the user was signed in, with the user's record and role. */
const loginPayloadOf = async (context: GraphqlContext, result: AccountResult): Promise<LoginPayload> => {
  const user = parseRecord(result.user);
  const documentId = isRecord(user) ? user['documentId'] : undefined;
  const userRecord = typeof documentId === 'string' ? await readUserWithRole(context, documentId) : null;
  return { jwt: 'jwt' in result ? result.jwt : null, user: userRecord ?? user };
};

/**
 * Runs an operation and counts it as one attempt. Each field of a document is a separate attempt.
 *
 * @throws `request/rate-runLimited`, and the errors of the operation
 */
const runLimited = async <T>(
  { dependencies: { accounts }, ip, caller }: GraphqlContext,
  operation: LimitedOperation,
  values: unknown,
  work: (accounts: AccountContext) => T | Promise<T>,
): Promise<T> => {
  const attempt = await accounts.attempts.begin({ operation, ip, values, caller });
  const result = await work(accounts);
  await attempt.succeeded();
  return result;
};

/** Resolves `register`. Throws `request/rate-runLimited` and the errors of {@link register}. */
export async function signUp({ args: { input }, context }: AuthorisedCall): Promise<LoginPayload> {
  return loginPayloadOf(
    context,
    await runLimited(context, 'register', input, (accounts) => register(accounts, input)),
  );
}

/** Resolves `login`. Throws `request/rate-runLimited` and the errors of {@link login}. */
export async function signIn({ args, context }: AuthorisedCall): Promise<LoginPayload> {
  const input = isRecord(args['input']) ? args['input'] : {};
  const { identifier, password } = input;
  return loginPayloadOf(
    context,
    await runLimited(context, 'login', input, (accounts) => login(accounts, { identifier, password })),
  );
}

/** Resolves `forgotPassword`. Throws `request/rate-runLimited` and the errors of {@link forgotPassword}. */
export async function requestPasswordReset({ args, context }: AuthorisedCall): Promise<unknown> {
  return runLimited(context, 'forgotPassword', args, (accounts) => forgotPassword(accounts, args));
}

/** Resolves `resetPassword`. Throws `request/rate-runLimited` and the errors of {@link resetPassword}. */
export async function completePasswordReset({ args, context }: AuthorisedCall): Promise<LoginPayload> {
  return loginPayloadOf(
    context,
    await runLimited(context, 'resetPassword', args, (accounts) => resetPassword(accounts, args)),
  );
}

/** Resolves `changePassword`. Throws `request/rate-runLimited` and the errors of {@link changePassword}. */
export async function updatePassword({ args, context }: AuthorisedCall): Promise<LoginPayload> {
  return loginPayloadOf(
    context,
    await runLimited(context, 'changePassword', args, (accounts) =>
      changePassword(accounts, context.caller, args),
    ),
  );
}

/** Resolves `emailConfirmation`. Throws `request/rate-runLimited` and the errors of {@link confirmEmail}. */
export async function confirmEmailAddress({ args, context }: AuthorisedCall): Promise<LoginPayload> {
  const user = await runLimited(context, 'confirmEmail', args, (accounts) =>
    confirmEmail(accounts, args['confirmation']),
  );
  return loginPayloadOf(context, { user });
}

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
