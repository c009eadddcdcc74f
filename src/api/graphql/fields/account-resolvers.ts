import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { requireUserCaller, withOwnRole } from '../../../access/accounts/account-context.js';
import type { AccountContext, AccountResult } from '../../../access/accounts/account-context.js';
import type { LimitedOperation } from '../../../access/accounts/attempts.js';
import { changePassword, forgotPassword, login, resetPassword } from '../../../access/accounts/passwords.js';
import { confirmEmail, register } from '../../../access/accounts/registration.js';
import { isRecord } from '../../../lib/records.js';
import { USER_UID } from '../../../model/content-types/builtin-types.js';
import { fromClient, FULL_ACCESS } from '../../../query/read-access.js';
import { parseReadQuery, parseSelection } from '../../../query/parse/parse-read-query.js';
import { publishedQuery } from '../../../query/parse/server-queries.js';
import type { GraphqlContext } from '../graphql-context.js';
import { isProjectField, needsRecord } from '../schema/field-marks.js';
import { collectFields } from '../selection/collect-fields.js';
import { parseRecord } from './root-field.js';
import type { AuthorisedCall } from './root-field.js';

const ROLE = 'role';

/**
 * Reads a user with the role, for the response to signing in. No permission is checked: the request's caller
 * was not that user yet.
 */
export async function readUserWithRole(
  { dependencies, limits }: GraphqlContext,
  documentId: string,
): Promise<unknown> {
  const { access, model, documents } = dependencies;
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
