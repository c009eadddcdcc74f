import { changePassword } from '../../../access/accounts/change-password.js';
import { confirmEmail } from '../../../access/accounts/email-confirmation.js';
import { forgotPassword } from '../../../access/accounts/forgot-password.js';
import { login } from '../../../access/accounts/login.js';
import type { LimitedOperation } from '../../../access/accounts/attempts.js';
import type { AccountContext, AccountResult } from '../../../access/accounts/account-context.js';
import { register } from '../../../access/accounts/register.js';
import { resetPassword } from '../../../access/accounts/reset-password.js';
import { isRecord } from '../../../lib/is-record.js';
import type { GraphqlContext, PluginMutationCall } from '../graphql-context.js';
import { readUserWithRole } from './me.js';
import { parseRecord } from './root-field.js';

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
 * Runs an operation as one attempt; each field of a document is one. Throws `request/rate-limited` and the
 * errors of the operation.
 */
const limited = async <T>(
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

/** Resolves `register`. Throws `request/rate-limited` and what {@link register} throws. */
export async function signUp({ args: { input }, context }: PluginMutationCall): Promise<LoginPayload> {
  return loginPayloadOf(
    context,
    await limited(context, 'register', input, (accounts) => register(accounts, input)),
  );
}

/** Resolves `login`. Throws `request/rate-limited` and what {@link login} throws. */
export async function signIn({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  const input = isRecord(args['input']) ? args['input'] : {};
  const { identifier, password } = input;
  return loginPayloadOf(
    context,
    await limited(context, 'login', input, (accounts) => login(accounts, { identifier, password })),
  );
}

/** Resolves `forgotPassword`. Throws `request/rate-limited` and what {@link forgotPassword} throws. */
export async function requestPasswordReset({ args, context }: PluginMutationCall): Promise<unknown> {
  return limited(context, 'forgotPassword', args, (accounts) => forgotPassword(accounts, args));
}

/** Resolves `resetPassword`. Throws `request/rate-limited` and what {@link resetPassword} throws. */
export async function completePasswordReset({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  return loginPayloadOf(
    context,
    await limited(context, 'resetPassword', args, (accounts) => resetPassword(accounts, args)),
  );
}

/** Resolves `changePassword`. Throws `request/rate-limited` and what {@link changePassword} throws. */
export async function updatePassword({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  return loginPayloadOf(
    context,
    await limited(context, 'changePassword', args, (accounts) =>
      changePassword(accounts, context.caller, args),
    ),
  );
}

/** Resolves `emailConfirmation`. Throws `request/rate-limited` and what {@link confirmEmail} throws. */
export async function confirmEmailAddress({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  const user = await limited(context, 'confirmEmail', args, (accounts) =>
    confirmEmail(accounts, args['confirmation']),
  );
  return loginPayloadOf(context, { user });
}
