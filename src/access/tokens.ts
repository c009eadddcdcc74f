import type { Transaction } from '../database/database.js';
import type { Conditions } from '../database/table.js';
import { createError } from '../errors/catalogue.js';
import { groupBy } from '../lib/collections.js';
import { didYouMean } from '../lib/nearest.js';
import { shellWord } from '../lib/text.js';
import { DAY_MS } from '../lib/units.js';
import { TOKEN_TYPES, changeAccess } from './access.js';
import type { AccessContext, ChangeOptions, TokenRecord, TokenType } from './access.js';
import { createAccessKey, hashAccessKey } from './credentials.js';
import { readLocales } from './locales.js';
import { listTokenActionGroups, resolveActionNames } from './permissions/actions.js';
import { TOKENS, TOKEN_ACTIONS, toTokenRecord } from './records.js';
import { printPreviewScope, printTokenLimits } from './token-scope.js';

/** Returns the tokens with those values, sorted by name. */
async function readTokens(tx: Transaction, where: Conditions): Promise<readonly TokenRecord[]> {
  const rows = await tx.table(TOKENS).find(where, { orderBy: 'name' });
  const tokenId = rows.map((row) => Number(row['id']));
  const actions = groupBy(await tx.table(TOKEN_ACTIONS).find({ tokenId }), (row) => row['tokenId']);
  return rows.map((row) => toTokenRecord({ ...row, permissions: actions.get(row['id']) ?? [] }));
}

/** Returns a token by its name, in a transaction. Throws `access/unknown-token` with the nearest name. */
async function requireToken(tx: Transaction, name: string): Promise<TokenRecord> {
  const [token] = await readTokens(tx, { name });
  if (token !== undefined) return token;
  const names = (await tx.table(TOKENS).find({}, { fields: ['name'] })).map((row) => String(row['name']));
  throw createError('access/unknown-token', {
    name,
    remedy: didYouMean(name, names, 'See: cms token list'),
  });
}

/** Returns a token by its name, without its key. Throws `access/unknown-token`. */
export async function findToken({ database }: AccessContext, name: string): Promise<TokenRecord> {
  return database.transact((tx) => requireToken(tx, name));
}

/** Returns a token by its name, without its key; null if it does not exist. */
export async function findTokenIfAny({ database }: AccessContext, name: string): Promise<TokenRecord | null> {
  return database.transact(async (tx) => (await readTokens(tx, { name: name.trim() }))[0] ?? null);
}

/** Returns all tokens sorted by name, without their keys. */
export async function listTokens({ database }: AccessContext): Promise<readonly TokenRecord[]> {
  return database.transact((tx) => readTokens(tx, {}));
}

/** Deletes a token. All servers reject its key within a second. Throws `access/unknown-token`. */
export async function revokeToken(
  context: AccessContext,
  name: string,
  options: ChangeOptions = {},
): Promise<TokenRecord> {
  return changeAccess(
    context,
    { action: 'tokens.revoke', target: name },
    async (tx) => {
      const token = await requireToken(tx, name);
      await tx.table(TOKENS).delete({ id: token.id });
      return token;
    },
    options,
  );
}

export interface NewToken {
  readonly name: string;
  readonly description?: string | null;
  readonly type: TokenType;
  /** Full action names, only for type `custom`: `api::tag.tag.find`, or `api::tag.tag.*`. */
  readonly permissions?: readonly string[];
  /** Uids of the types whose drafts a token of type `preview` reads. */
  readonly types?: readonly string[];
  /** The locales that a preview token reads, and a custom one reads and writes. Default: all. */
  readonly locales?: readonly string[];
  /** `draft` if a custom token writes no published versions. */
  readonly status?: 'draft';
  /** Default: unlimited. */
  readonly lifespan?: Lifespan;
  /** Lifespan in milliseconds, in place of `lifespan`. */
  readonly expiresIn?: number;
  /** True to replace an existing token of that name. */
  readonly replace?: boolean;
}

export interface IssuedToken {
  readonly token: TokenRecord;
  /** The key, which is shown only once. */
  readonly accessKey: string;
}

const resolveTokenPermissions = (
  { model }: AccessContext,
  { type, permissions = [] }: NewToken,
): readonly string[] => {
  if (!TOKEN_TYPES.includes(type))
    throw createError('access/invalid-token', {
      reason: `${String(type)} is not a token type.`,
      remedy: `Types are ${TOKEN_TYPES.join(', ')}.`,
    });
  if (type === 'custom' && permissions.length === 0) {
    throw createError('access/invalid-token', {
      reason: 'A custom token needs permissions.',
      remedy: 'Name each with --permission, such as api::tag.tag.find.',
    });
  }
  if (type !== 'custom' && permissions.length > 0) {
    throw createError('access/invalid-token', {
      reason: `A ${type} token takes no permissions.`,
      remedy: 'Use the type custom.',
    });
  }
  return resolveActionNames(model, permissions, listTokenActionGroups(model));
};

/** Returns the expiry of a new token, as ISO text; null if it never expires. */
const newTokenExpiry = ({ lifespan = 'unlimited', expiresIn }: NewToken): string | null => {
  const now = Date.now();
  return expiresIn === undefined ? expiryOf(lifespan, now) : new Date(now + expiresIn).toISOString();
};

/** @throws `access/invalid-token` if the type of the token has no such limits */
const assertLimits = ({ type, types = [], locales = [], status }: NewToken): void => {
  if (type !== 'preview' && types.length > 0)
    throw createError('access/invalid-token', {
      reason: `A ${type} token takes no types.`,
      remedy: 'Use the type preview.',
    });
  if (type !== 'preview' && type !== 'custom' && locales.length > 0)
    throw createError('access/invalid-token', {
      reason: `A ${type} token takes no locales.`,
      remedy: 'Use the type preview or custom.',
    });
  if (type !== 'custom' && status !== undefined)
    throw createError('access/invalid-token', {
      reason: `A ${type} token takes no status.`,
      remedy: 'Use the type custom.',
    });
};

const assertExpiring = (input: NewToken): void => {
  if (input.type !== 'preview') return;
  if (newTokenExpiry(input) === null)
    throw createError('access/invalid-token', {
      reason: 'A preview token must expire.',
      remedy: 'Pass --expires-in, such as --expires-in 1h.',
    });
};

const ensureTokenNameAvailable = async (tx: Transaction, name: string, replace: boolean): Promise<void> => {
  if ((await tx.table(TOKENS).count({ name })) === 0) return;
  if (!replace) throw createError('access/token-exists', { name, word: shellWord(name) });
  await tx.table(TOKENS).delete({ name });
};

/**
 * Creates an API token and its access key, of which only a keyed hash is stored.
 *
 * @throws `access/missing-token-salt`, `access/invalid-token`, `access/token-exists`, `access/unknown-action`
 */
export async function createToken(
  context: AccessContext,
  input: NewToken,
  options: ChangeOptions = {},
): Promise<IssuedToken> {
  const name = input.name.trim();
  if (name === '')
    throw createError('access/invalid-token', { reason: 'A token needs a name.', remedy: 'Pass --name.' });
  assertLimits(input);
  assertExpiring(input);
  const permissions = resolveTokenPermissions(context, input);
  const accessKey = createAccessKey();
  const keyHash = hashAccessKey(accessKey, context.salt);
  const scopeOf = async (tx: Transaction): Promise<readonly string[]> => {
    const { type, types = [], locales = [], status } = input;
    const known = (await readLocales(tx)).map(({ code }) => code);
    if (type === 'preview') return printPreviewScope(context.model, { types, locales }, known);
    return [...permissions, ...printTokenLimits(context.model, permissions, { locales, status }, known)];
  };
  const write = async (tx: Transaction): Promise<IssuedToken> => {
    const actions = await scopeOf(tx);
    await ensureTokenNameAvailable(tx, name, input.replace === true);
    const { description = null, type } = input;
    await tx.table(TOKENS).insert([{ name, description, type, keyHash, expiresAt: newTokenExpiry(input) }]);
    const { id } = await requireToken(tx, name);
    await tx.table(TOKEN_ACTIONS).insert(actions.map((action) => ({ tokenId: id, action })));
    return { token: await requireToken(tx, name), accessKey };
  };
  return changeAccess(
    context,
    { action: 'tokens.create', target: name, details: { type: input.type } },
    write,
    options,
  );
}

export const LIFESPANS = ['7d', '30d', '90d', 'unlimited'] as const;
export type Lifespan = (typeof LIFESPANS)[number];

const DAYS: Readonly<Record<Lifespan, number | null>> = { '7d': 7, '30d': 30, '90d': 90, unlimited: null };

/** Returns the expiry of a token created at `now` (milliseconds), as ISO text; null if it never expires. */
export function expiryOf(lifespan: Lifespan, now: number): string | null {
  const days = DAYS[lifespan];
  return days === null ? null : new Date(now + days * DAY_MS).toISOString();
}

export interface TokenRegeneration {
  readonly name: string;
  /** Lifespan from now. Default: the token keeps its expiry. */
  readonly lifespan?: Lifespan;
}

/**
 * Creates a new access key for a token. All servers reject the old key within a second.
 *
 * @throws `access/unknown-token`, `access/token-expired` if it has expired and no lifespan is given,
 *   `access/invalid-token`, `access/missing-token-salt`
 */
export async function regenerateToken(
  context: AccessContext,
  { name, lifespan }: TokenRegeneration,
  options: ChangeOptions = {},
): Promise<IssuedToken> {
  const accessKey = createAccessKey();
  const keyHash = hashAccessKey(accessKey, context.salt);
  return changeAccess(
    context,
    { action: 'tokens.regenerate', target: name },
    async (tx) => {
      const token = await requireToken(tx, name);
      const now = Date.now();
      const expiresAt = lifespan === undefined ? token.expiresAt : expiryOf(lifespan, now);
      if (expiresAt !== null && Date.parse(expiresAt) <= now)
        throw createError('access/token-expired', {
          name,
          word: shellWord(name),
          date: expiresAt.slice(0, 10),
        });
      if (token.type === 'preview' && expiresAt === null)
        throw createError('access/invalid-token', {
          reason: 'A preview token must expire.',
          remedy: 'Pass another --lifespan.',
        });
      await tx.table(TOKENS).update({ id: token.id }, { keyHash, expiresAt, lastUsedAt: null });
      return { token: await requireToken(tx, name), accessKey };
    },
    options,
  );
}
