import type { TokenRecord } from '../../access/access.js';
import type { Style } from '../terminal/style.js';
import { printKeyValues } from '../terminal/table.js';

/** Prints a time to the minute, in UTC: `2026-01-31 09:30`. */
export function printTime(iso: string | null): string {
  return iso === null ? 'never' : iso.slice(0, 16).replace('T', ' ');
}

/** Prints when a token expires, or that it has expired. */
export function printExpiry(
  { expiresAt }: Pick<TokenRecord, 'expiresAt'>,
  style: Style,
  now: number = Date.now(),
): string {
  if (expiresAt === null) return 'never';
  return Date.parse(expiresAt) <= now ? style.red(`expired ${printTime(expiresAt)}`) : printTime(expiresAt);
}

/** Prints name, type, permissions and expiry of a token on one line. */
export function summarizeToken({
  name,
  type,
  permissions,
  locales,
  expiresAt,
}: Pick<TokenRecord, 'name' | 'type' | 'permissions' | 'locales' | 'expiresAt'>): string {
  const actions = permissions.length === 0 ? '' : `, ${permissions.join(' ')}`;
  const lifespan = expiresAt === null ? 'unlimited' : `until ${printTime(expiresAt)} UTC`;
  const languages = locales === undefined ? '' : `, in ${locales.join(' ')}`;
  return `${name} (${type}${actions}${languages}, ${lifespan})`;
}

export function printToken(token: TokenRecord, style: Style): string {
  return printKeyValues(
    [
      ['Name', token.name],
      ...(token.description === null ? [] : [['Description', token.description] as const]),
      ['Type', token.type],
      ...token.permissions.map(
        (permission, index) => [index === 0 ? 'Permissions' : '', permission] as const,
      ),
      ...(token.locales === undefined ? [] : [['Locales', token.locales.join(' ')] as const]),
      ['Expires', printExpiry(token, style)],
      ['Last used', printTime(token.lastUsedAt)],
      ['Created', printTime(token.createdAt)],
    ],
    style,
  );
}
