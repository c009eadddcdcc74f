import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import type { AccessContext, TokenRecord } from '../access.js';
import { TOKEN_SELECT, toTokenRecord } from '../rows.js';

/** Returns a token by its name, in a transaction. Throws `access/unknown-token` with the nearest name. */
export async function requireToken(tx: Transaction, name: string): Promise<TokenRecord> {
  const row = await tx.model('ApiToken').findUnique({ where: { name }, select: TOKEN_SELECT });
  if (row !== null) return toTokenRecord(row);
  const names = (await tx.model('ApiToken').findMany({ select: { name: true } })).map((known) =>
    String(known['name']),
  );
  throw createError('access/unknown-token', {
    name,
    remedy: didYouMean(name, names, 'See: cms token list'),
  });
}

/** Returns a token by its name, without its key. Throws `access/unknown-token`. */
export async function findToken({ database }: AccessContext, name: string): Promise<TokenRecord> {
  return database.transact((tx) => requireToken(tx, name));
}

/** Returns a token by its name, without its key; null where there is none. */
export async function findTokenIfAny({ database }: AccessContext, name: string): Promise<TokenRecord | null> {
  return database.transact(async (tx) => {
    const row = await tx.model('ApiToken').findUnique({ where: { name: name.trim() }, select: TOKEN_SELECT });
    return row === null ? null : toTokenRecord(row);
  });
}

/** Returns all tokens sorted by name, without their keys. */
export async function listTokens({ database }: AccessContext): Promise<readonly TokenRecord[]> {
  return database.transact(async (tx) => {
    const rows = await tx.model('ApiToken').findMany({ select: TOKEN_SELECT, orderBy: { name: 'asc' } });
    return rows.map(toTokenRecord);
  });
}
