import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '../../../access/accounts/account-context.js';
import { beginSignIn, completeSignIn } from '../../../access/providers/sign-in-flow.js';
import type { RefreshCookie } from '../../../config/account-settings.js';
import { queryOf, queryTextOf } from '../request-params.js';
import type { Handlers } from '../rest-dependencies.js';
import { cookieToken, setCookie } from './refresh-cookie.js';

/** Returns the provider that the path names. */
export function providerOf(request: FastifyRequest): string {
  return (request.params as { readonly provider: string }).provider;
}

/**
 * The cookie with the ticket of a sign-in. The service sends the browser back from another site, which `lax`
 * allows.
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

/** Addresses hold codes and tokens, which no cache and no other site may learn. */
const redirectTo = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 302);

/** Returns the handlers that send people to another service and take them back. */
export function providerHandlers(accounts: AccountContext) {
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
