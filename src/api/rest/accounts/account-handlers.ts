import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext, AccountResult } from '../../../access/accounts/account-context.js';
import {
  changePassword,
  forgotPassword,
  login,
  resetPassword,
  confirmEmail,
  register,
  sendEmailConfirmation,
} from '../../../access/accounts/local-accounts.js';
import { logout, refreshSession } from '../../../access/accounts/sessions.js';
import { beginSignIn, completeSignIn, signInWithProvider } from '../../../access/providers/sign-in-flow.js';
import type { RefreshCookie } from '../../../config/account-settings.js';
import { sendJson } from '../envelope.js';
import { callerOf } from '../../http/request-lifecycle.js';
import { queryOf, queryTextOf } from '../handler.js';
import type { Handler, Handlers, RestDependencies } from '../handler.js';
import type { AccountOperation } from '../routes/account-routes.js';
import { roleHandlers } from './role-handlers.js';
import { userHandlers } from './user-handlers.js';

/** The header with which a client requests the cookie, as in Strapi. */
const COOKIE_HEADER = 'x-strapi-refresh-cookie';

/** True if the response to a request sends the refresh token in a cookie. */
function wantsCookie({ headers }: FastifyRequest, { always }: RefreshCookie): boolean {
  return always || headers[COOKIE_HEADER] === 'httpOnly';
}

/** Returns the value of a request's cookie. Null: it has none. */
function cookieToken({ headers }: FastifyRequest, { name }: Pick<RefreshCookie, 'name'>): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=');
    if (key === name && value !== '') return value;
  }
  return null;
}

/** Sets the cookie, or removes it if there is no token. */
function setCookie(
  reply: FastifyReply,
  token: string | null,
  cookie: Omit<RefreshCookie, 'always'>,
): FastifyReply {
  const { name, path, domain, sameSite, secure, maxAge } = cookie;
  const parts = [
    `${name}=${token ?? ''}`,
    `Path=${path}`,
    ...(domain === null ? [] : [`Domain=${domain}`]),
    ...(token === null ? ['Expires=Thu, 01 Jan 1970 00:00:00 GMT'] : []),
    ...(token === null || maxAge === null ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    ...(secure ? ['Secure'] : []),
    `SameSite=${sameSite}`,
  ];
  return reply.header('set-cookie', parts.join('; '));
}

/** Returns the provider that the path names. */
function providerOf(request: FastifyRequest): string {
  return (request.params as { readonly provider: string }).provider;
}

/**
 * Returns the settings of the cookie with the ticket of a sign-in. The service redirects the browser from
 * another site, which `lax` allows.
 */
const ticketCookie = ({ apiUrl }: AccountContext): Omit<RefreshCookie, 'always'> => {
  const { protocol, pathname } = new URL(apiUrl);
  return {
    name: 'cms_sign_in',
    secure: protocol === 'https:',
    sameSite: 'lax',
    path: `${pathname.replace(/\/$/, '')}/connect`,
    domain: null,
    maxAge: null,
  };
};

/** Redirects to a URL with codes or tokens, which no cache and no other site may see. */
const redirectTo = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 302);

/** Returns the handlers that redirect users to another service and complete the sign-in afterwards. */
function providerHandlers(accounts: AccountContext) {
  return {
    connect: async (request, reply) => {
      const { url, ticket } = await beginSignIn(accounts, providerOf(request), queryOf(request));
      return redirectTo(setCookie(reply, ticket, ticketCookie(accounts)), url);
    },
    connectCallback: async (request, reply) => {
      const cookie = ticketCookie(accounts);
      const url = await completeSignIn(accounts, providerOf(request), {
        ticket: cookieToken(request, cookie),
        query: queryOf(request),
        queryText: queryTextOf(request),
      });
      return redirectTo(setCookie(reply, null, cookie), url);
    },
  } satisfies Handlers;
}

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

/** Sends a response that may contain tokens and must not be cached. */
const sendUncached = (reply: FastifyReply, text: string): FastifyReply =>
  sendJson(reply.header('cache-control', 'no-store'), 200, text);

const jsonHandler =
  (work: (request: FastifyRequest) => unknown): Handler =>
  async (request, reply) =>
    sendUncached(reply, JSON.stringify(await work(request)));

/**
 * Creates a handler that starts a session. The project or the client may request the refresh token as a
 * cookie.
 */
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
function authHandlers(accounts: AccountContext) {
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

/** Returns the handlers of signing in, users and roles. */
export function accountHandlers(
  dependencies: RestDependencies,
  accounts: AccountContext,
): Readonly<Record<AccountOperation, Handler>> {
  return {
    ...authHandlers(accounts),
    ...userHandlers(dependencies, accounts),
    ...roleHandlers(dependencies, accounts),
  };
}
