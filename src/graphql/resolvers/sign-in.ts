import { changePassword } from '../../access/people/change-password.js';
import { confirmEmail } from '../../access/people/confirm-email.js';
import { forgotPassword } from '../../access/people/forgot-password.js';
import { login } from '../../access/people/login.js';
import type { SignedIn } from '../../access/people/people.js';
import { register } from '../../access/people/register.js';
import { resetPassword } from '../../access/people/reset-password.js';
import { isRecord } from '../../lib/is-record.js';
import type { GraphqlContext, ServiceCall } from '../graphql-parts.js';
import { countTry } from './limit-tries.js';
import { readSignedIn } from './me.js';
import { parseRecord } from './root-field.js';

interface Payload {
  readonly jwt: string | null;
  readonly user: unknown;
}

/** Who has signed in, read as `me` would show it. */
const payloadOf = async (context: GraphqlContext, signedIn: SignedIn | { readonly user: string }): Promise<Payload> => {
  const user = parseRecord(signedIn.user);
  const documentId = isRecord(user) ? user['documentId'] : undefined;
  const me = typeof documentId === 'string' ? await readSignedIn(context, documentId) : null;
  return { jwt: 'jwt' in signedIn ? signedIn.jwt : null, user: me ?? user };
};

export async function signUp({ args, context }: ServiceCall): Promise<Payload> {
  await countTry(context, 'register', args['input']);
  return payloadOf(context, await register(context.parts.people, args['input']));
}

export async function signIn({ args, context }: ServiceCall): Promise<Payload> {
  const input = isRecord(args['input']) ? args['input'] : {};
  await countTry(context, 'login', input);
  return payloadOf(context, await login(context.parts.people, { identifier: input['identifier'], password: input['password'] }));
}

export async function askForReset({ args, context }: ServiceCall): Promise<unknown> {
  await countTry(context, 'forgotPassword', args);
  return forgotPassword(context.parts.people, args);
}

export async function reset({ args, context }: ServiceCall): Promise<Payload> {
  await countTry(context, 'resetPassword', args);
  return payloadOf(context, await resetPassword(context.parts.people, args));
}

export async function replacePassword({ args, context }: ServiceCall): Promise<Payload> {
  await countTry(context, 'changePassword', args);
  return payloadOf(context, await changePassword(context.parts.people, context.caller, args));
}

export async function confirm({ args, context }: ServiceCall): Promise<Payload> {
  await countTry(context, 'confirmEmail', args);
  return payloadOf(context, { user: await confirmEmail(context.parts.people, args['confirmation']) });
}
