import type { FastifyReply, FastifyRequest } from 'fastify';
import { changePassword } from '../../../access/accounts/change-password.js';
import { confirmEmail, sendEmailConfirmation } from '../../../access/accounts/email-confirmation.js';
import { forgotPassword } from '../../../access/accounts/forgot-password.js';
import { login } from '../../../access/accounts/login.js';
import { logout } from '../../../access/accounts/sessions.js';
import type { AccountContext, AccountResult } from '../../../access/accounts/account-context.js';
import { refreshSession } from '../../../access/accounts/refresh-session.js';
import { register } from '../../../access/accounts/register.js';
import { resetPassword } from '../../../access/accounts/reset-password.js';
import { signInWithProvider } from '../../../access/providers/sign-in-flow.js';
import { sendJson } from '../envelope.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { Handler, Handlers } from '../rest-dependencies.js';
import { providerHandlers, providerOf } from './provider-handlers.js';
import { cookieToken, setCookie, wantsCookie } from './refresh-cookie.js';

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

const jsonHandler =
  (work: (request: FastifyRequest) => unknown): Handler =>
  async (request, reply) =>
    sendUncached(reply, JSON.stringify(await work(request)));

/** Signing in: the refresh token goes into a cookie where project or client want that. */
const sessionHandler =
  (accounts: AccountContext, work: (request: FastifyRequest) => Promise<AccountResult>): Handler =>
  async (request, reply) => {
    const result = await work(request);
    const { refreshCookie } = accounts.settings;
    if (!('jwt' in result) || result.refreshToken === null || !wantsCookie(request, refreshCookie))
      return sendUncached(reply, printAccountResult(result));
    setCookie(reply, result.refreshToken, refreshCookie);
    return sendUncached(reply, printAccountResult({ ...result, refreshToken: null }));
  };

const refreshHandler =
  (accounts: AccountContext): Handler =>
  async (request, reply) => {
    const { refreshCookie } = accounts.settings;
    const sent = cookieToken(request, refreshCookie);
    const body = sent === null ? request.body : { refreshToken: sent };
    const { jwt, refreshToken } = await refreshSession(accounts, body);
    if (!wantsCookie(request, refreshCookie))
      return sendUncached(reply, JSON.stringify({ jwt, refreshToken }));
    return sendUncached(setCookie(reply, refreshToken, refreshCookie), JSON.stringify({ jwt }));
  };

const logoutHandler =
  (accounts: AccountContext): Handler =>
  async (request, reply) => {
    const { refreshCookie } = accounts.settings;
    const result = await logout(accounts, callerOf(request), request.headers.authorization);
    if (wantsCookie(request, refreshCookie)) setCookie(reply, null, refreshCookie);
    return sendUncached(reply, JSON.stringify(result));
  };

const confirmEmailHandler =
  (accounts: AccountContext): Handler =>
  async (request, reply) => {
    const user = await confirmEmail(accounts, queryOf(request)['confirmation']);
    const target = (await accounts.currentSettings()).confirmationRedirect;
    return target === null ? sendUncached(reply, printAccountResult({ user })) : reply.redirect(target, 302);
  };

/** Returns the handlers for signing up, in and out, and for passwords. */
export function authHandlers(accounts: AccountContext) {
  return {
    login: sessionHandler(accounts, (request) => login(accounts, request.body)),
    ...providerHandlers(accounts),
    providerCallback: sessionHandler(accounts, (request) =>
      signInWithProvider(accounts, providerOf(request), queryOf(request)),
    ),
    register: sessionHandler(accounts, (request) => register(accounts, request.body)),
    forgotPassword: jsonHandler((request) => forgotPassword(accounts, request.body)),
    resetPassword: sessionHandler(accounts, (request) => resetPassword(accounts, request.body)),
    changePassword: sessionHandler(accounts, (request) =>
      changePassword(accounts, callerOf(request), request.body),
    ),
    confirmEmail: confirmEmailHandler(accounts),
    sendConfirmation: jsonHandler((request) => sendEmailConfirmation(accounts, request.body)),
    refresh: refreshHandler(accounts),
    logout: logoutHandler(accounts),
  } satisfies Handlers;
}
