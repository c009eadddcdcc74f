import type { TokenRecord } from '../../access/access.js';
import type { Style } from './style.js';
import { printKeyValues } from './table.js';

/** To the minute, in UTC: `2026-01-31 09:30`. */
export function printTime(iso: string | null): string {
  return iso === null ? 'never' : iso.slice(0, 16).replace('T', ' ');
}

/** When a token stops working, or that it has. */
export function printExpiry({ expiresAt }: Pick<TokenRecord, 'expiresAt'>, style: Style, now: number = Date.now()): string {
  if (expiresAt === null) return 'never';
  return Date.parse(expiresAt) <= now ? style.red(`expired ${printTime(expiresAt)}`) : printTime(expiresAt);
}

/** What is known of a token when it is yet to be made. */
export function summarizeToken({ name, type, permissions, expiresAt }: Pick<TokenRecord, 'name' | 'type' | 'permissions' | 'expiresAt'>): string {
  const actions = permissions.length === 0 ? '' : `, ${permissions.join(' ')}`;
  return `${name} (${type}${actions}, ${expiresAt === null ? 'unlimited' : `until ${printTime(expiresAt)} UTC`})`;
}

export function printToken(token: TokenRecord, style: Style): string {
  return printKeyValues([
    ['Name', token.name],
    ...(token.description === null ? [] : [['Description', token.description] as const]),
    ['Type', token.type],
    ...token.permissions.map((permission, index) => [index === 0 ? 'Permissions' : '', permission] as const),
    ['Expires', printExpiry(token, style)],
    ['Last used', printTime(token.lastUsedAt)],
    ['Created', printTime(token.createdAt)],
  ], style);
}
