import { issueCodeJwt, readJwt, requireJwtSecret } from '../../../access/accounts/jwt.js';
import { isRecord } from '../../../lib/is-record.js';
import type { PluginHost } from '../plugin-host.js';

const BEARER = /^bearer\s+(\S+)$/i;

const authorizationOf = (context: unknown): string => {
  const request: unknown = isObject(context) ? Reflect.get(context, 'request') : undefined;
  const header: unknown = isObject(request) ? Reflect.get(request, 'header') : undefined;
  const value: unknown = isObject(header) ? Reflect.get(header, 'authorization') : undefined;
  return typeof value === 'string' ? value : '';
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Creates the service `jwt` of users-permissions. */
export function createJwtService({ accounts }: PluginHost) {
  const secret = (): string => requireJwtSecret(accounts.jwtSecret);
  const verify = async (token: string): Promise<Readonly<Record<string, unknown>>> => {
    const claims = readJwt(token, secret());
    if (claims === null) throw new Error('Invalid token.');
    return claims;
  };
  return {
    /** Signs at once, as Strapi does. Such a token lasts until it expires, also if the password changes. */
    issue: (payload: unknown, options: unknown = {}): string =>
      issueCodeJwt(
        isRecord(payload) ? payload : {},
        secret(),
        isRecord(options) ? { expiresIn: accounts.settings.jwtLifetime, ...options } : {},
      ),
    verify,
    getToken: async (context: unknown): Promise<unknown> => {
      const [, token] = BEARER.exec(authorizationOf(context)) ?? [];
      return token === undefined ? null : verify(token);
    },
  };
}
