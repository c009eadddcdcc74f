import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import { nearest } from '../../lib/nearest.js';
import type { AccessContext, TokenRecord } from '../access.js';
import { TOKEN_SELECT, tokenOf } from '../rows.js';

/** The token of that name inside a transaction. Throws `access/unknown-token` with the nearest name. */
export async function requireToken(tx: Transaction, name: string): Promise<TokenRecord> {
  const row = await tx.model('ApiToken').findUnique({ where: { name }, select: TOKEN_SELECT });
  if (row !== null) return tokenOf(row);
  const names = (await tx.model('ApiToken').findMany({ select: { name: true } })).map((known) => String(known['name']));
  const close = nearest(name, names);
  throw fail('access/unknown-token', { name, remedy: close === undefined ? 'See: cms token list' : `Did you mean ${close}?` });
}

/** One token, without its key. Throws `access/unknown-token`. */
export async function findToken({ database }: AccessContext, name: string): Promise<TokenRecord> {
  return database.transact((tx) => requireToken(tx, name));
}
