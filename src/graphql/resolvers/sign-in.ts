import { changePassword } from '../../access/accounts/change-password.js';
import { confirmEmail } from '../../access/accounts/email-confirmation.js';
import { forgotPassword } from '../../access/accounts/forgot-password.js';
import { login } from '../../access/accounts/login.js';
import type { LimitedOperation } from '../../access/accounts/attempts.js';
import type { AccountResult } from '../../access/accounts/account-context.js';
import { register } from '../../access/accounts/register.js';
import { resetPassword } from '../../access/accounts/reset-password.js';
import { isRecord } from '../../lib/is-record.js';
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

/** Counts one attempt. Each field of a document counts as one. Throws `request/rate-limited`. */
const assertAttemptAllowed = (
  { dependencies: { accounts }, ip, caller }: GraphqlContext,
  operation: LimitedOperation,
  values: unknown,
): Promise<void> => accounts.attempts.assertAllowed({ operation, ip, values, caller });

/** Resolves `register`. Throws `request/rate-limited` and what {@link register} throws. */
export async function signUp({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  await assertAttemptAllowed(context, 'register', args['input']);
  return loginPayloadOf(context, await register(context.dependencies.accounts, args['input']));
}

/** Resolves `login`. Throws `request/rate-limited` and what {@link login} throws. */
export async function signIn({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  const input = isRecord(args['input']) ? args['input'] : {};
  await assertAttemptAllowed(context, 'login', input);
  return loginPayloadOf(
    context,
    await login(context.dependencies.accounts, {
      identifier: input['identifier'],
      password: input['password'],
    }),
  );
}

/** Resolves `forgotPassword`. Throws `request/rate-limited` and what {@link forgotPassword} throws. */
export async function requestPasswordReset({ args, context }: PluginMutationCall): Promise<unknown> {
  await assertAttemptAllowed(context, 'forgotPassword', args);
  return forgotPassword(context.dependencies.accounts, args);
}

/** Resolves `resetPassword`. Throws `request/rate-limited` and what {@link resetPassword} throws. */
export async function completePasswordReset({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  await assertAttemptAllowed(context, 'resetPassword', args);
  return loginPayloadOf(context, await resetPassword(context.dependencies.accounts, args));
}

/** Resolves `changePassword`. Throws `request/rate-limited` and what {@link changePassword} throws. */
export async function updatePassword({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  await assertAttemptAllowed(context, 'changePassword', args);
  return loginPayloadOf(context, await changePassword(context.dependencies.accounts, context.caller, args));
}

/** Resolves `emailConfirmation`. Throws `request/rate-limited` and what {@link confirmEmail} throws. */
export async function confirmEmailAddress({ args, context }: PluginMutationCall): Promise<LoginPayload> {
  await assertAttemptAllowed(context, 'confirmEmail', args);
  return loginPayloadOf(context, {
    user: await confirmEmail(context.dependencies.accounts, args['confirmation']),
  });
}
