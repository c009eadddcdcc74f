import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefreshCookie } from '../../../config/account-settings.js';

/** The header by which a client asks for the cookie, as Strapi has it. */
const ASKING_HEADER = 'x-strapi-refresh-cookie';

/** True if the answer to a request has its refresh token in a cookie. */
export function wantsCookie({ headers }: FastifyRequest, { always }: RefreshCookie): boolean {
  return always || headers[ASKING_HEADER] === 'httpOnly';
}

/** Returns the text of a request's cookie. */
export function cookieToken(
  { headers }: FastifyRequest,
  { name }: Pick<RefreshCookie, 'name'>,
): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=');
    if (key === name && value !== '') return value;
  }
  return null;
}

/** Sets the cookie, or removes it where there is no token. */
export function setCookie(
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
