import type { FastifyReply, FastifyRequest } from 'fastify';
import { changePassword } from '../../access/accounts/change-password.js';
import { confirmEmail, sendEmailConfirmation } from '../../access/accounts/email-confirmation.js';
import { forgotPassword } from '../../access/accounts/forgot-password.js';
import { login } from '../../access/accounts/login.js';
import { logout } from '../../access/accounts/sessions.js';
import type { AccountContext, AccountResult } from '../../access/accounts/account-context.js';
import { refreshSession } from '../../access/accounts/refresh-session.js';
import { register } from '../../access/accounts/register.js';
import { resetPassword } from '../../access/accounts/reset-password.js';
import { sendJson } from '../envelope.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { Handler, Handlers } from '../rest-dependencies.js';

/** Prints `{"jwt":"…","refreshToken":"…","user":{…}}`. The record of the user is JSON text already. */
const printAccountResult = (result: AccountResult): string => {
  const tokens =
    'jwt' in result
      ? {
          jwt: result.jwt,
          ...(result.refreshToken === null ? {} : { refreshToken: result.refreshToken }),
        }
      : {};
  const members = Object.entries(tokens).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `{${[...members, `"user":${result.user}`].join(',')}}`;
};

/** Responses may contain tokens, which must not be cached. */
const sendUncached = (reply: FastifyReply, text: string): FastifyReply =>
  sendJson(reply.header('cache-control', 'no-store'), 200, text);

const signInHandler =
  (work: (request: FastifyRequest) => Promise<AccountResult>): Handler =>
  async (request, reply) =>
    sendUncached(reply, printAccountResult(await work(request)));

const jsonHandler =
  (work: (request: FastifyRequest) => unknown): Handler =>
  async (request, reply) =>
    sendUncached(reply, JSON.stringify(await work(request)));

const confirmEmailHandler =
  (accounts: AccountContext): Handler =>
  async (request, reply) => {
    const user = await confirmEmail(accounts, queryOf(request)['confirmation']);
    const target = accounts.settings.confirmationRedirect;
    return target === null ? sendUncached(reply, printAccountResult({ user })) : reply.redirect(target, 302);
  };

/** Returns the handlers for signing up, in and out, and for passwords. */
export function authHandlers(accounts: AccountContext) {
  return {
    login: signInHandler((request) => login(accounts, request.body)),
    register: signInHandler((request) => register(accounts, request.body)),
    forgotPassword: jsonHandler((request) => forgotPassword(accounts, request.body)),
    resetPassword: signInHandler((request) => resetPassword(accounts, request.body)),
    changePassword: signInHandler((request) => changePassword(accounts, callerOf(request), request.body)),
    confirmEmail: confirmEmailHandler(accounts),
    sendConfirmation: jsonHandler((request) => sendEmailConfirmation(accounts, request.body)),
    refresh: jsonHandler((request) => refreshSession(accounts, request.body)),
    logout: jsonHandler((request) => logout(accounts, callerOf(request))),
  } satisfies Handlers;
}
