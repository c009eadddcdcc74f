import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { shellWord } from '../../lib/shell-word.js';
import { TOKEN_TYPES } from '../access.js';
import type { AccessContext, ChangeOptions, TokenRecord, TokenType } from '../access.js';
import { readLocales } from '../locales/find-locales.js';
import { resolveActionNames } from '../permissions/actions.js';
import { changeAccess } from '../change-access.js';
import { TOKEN_SELECT, toTokenRecord } from '../rows.js';
import { createAccessKey, hashAccessKey } from './access-key.js';
import { printPreviewScope } from './preview-scope.js';

export interface NewToken {
  readonly name: string;
  readonly description?: string | null;
  readonly type: TokenType;
  /** Full action names, only for type `custom`: `api::tag.tag.find`, or `api::tag.tag.*`. */
  readonly permissions?: readonly string[];
  /** Uids of the types whose drafts a token of type `preview` reads. */
  readonly types?: readonly string[];
  /** The locales that it reads. Default: all. */
  readonly locales?: readonly string[];
  /** Default: unlimited. */
  readonly lifespan?: Lifespan;
  /** Milliseconds, instead of a lifespan. */
  readonly expiresIn?: number;
  /** Replaces an existing token of that name. */
  readonly replace?: boolean;
}

export interface IssuedToken {
  readonly token: TokenRecord;
  /** Shown only once. */
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
  return resolveActionNames(model, permissions);
};

/** The end of a token, as ISO text. Null: it has none. */
const endOf = ({ lifespan = 'unlimited', expiresIn }: NewToken): string | null => {
  const now = Date.now();
  return expiresIn === undefined ? expiryOf(lifespan, now) : new Date(now + expiresIn).toISOString();
};

const assertPreviewable = (input: NewToken): void => {
  const { type, types = [], locales = [] } = input;
  if (type !== 'preview') {
    if (types.length === 0 && locales.length === 0) return;
    throw createError('access/invalid-token', {
      reason: `A ${type} token takes neither types nor locales.`,
      remedy: 'Use the type preview.',
    });
  }
  if (endOf(input) === null)
    throw createError('access/invalid-token', {
      reason: 'A preview token needs an end.',
      remedy: 'Pass --expires-in, such as --expires-in 1h.',
    });
};

const ensureTokenNameAvailable = async (tx: Transaction, name: string, replace: boolean): Promise<void> => {
  if ((await tx.model('ApiToken').count({ where: { name } })) === 0) return;
  if (!replace) throw createError('access/token-exists', { name, word: shellWord(name) });
  await tx.model('ApiToken').deleteMany({ where: { name } });
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
  assertPreviewable(input);
  const permissions = resolveTokenPermissions(context, input);
  const accessKey = createAccessKey();
  const keyHash = hashAccessKey(accessKey, context.salt);
  const scopeOf = async (tx: Transaction): Promise<readonly string[]> => {
    if (input.type !== 'preview') return permissions;
    const { types = [], locales = [] } = input;
    const known = (await readLocales(tx)).map(({ code }) => code);
    return printPreviewScope(context.model, { types, locales }, known);
  };
  const write = async (tx: Transaction): Promise<IssuedToken> => {
    const actions = await scopeOf(tx);
    await ensureTokenNameAvailable(tx, name, input.replace === true);
    const row = await tx.model('ApiToken').create({
      data: {
        name,
        description: input.description ?? null,
        type: input.type,
        keyHash,
        expiresAt: endOf(input),
        permissions: { create: actions.map((action) => ({ action })) },
      },
      select: TOKEN_SELECT,
    });
    return { token: toTokenRecord(row), accessKey };
  };
  return changeAccess(context.database, write, options);
}

export const LIFESPANS = ['7d', '30d', '90d', 'unlimited'] as const;
export type Lifespan = (typeof LIFESPANS)[number];

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS: Readonly<Record<Lifespan, number | null>> = { '7d': 7, '30d': 30, '90d': 90, unlimited: null };

/** Returns when a token created at `now` (milliseconds) expires, as ISO text; null: never. */
export function expiryOf(lifespan: Lifespan, now: number): string | null {
  const days = DAYS[lifespan];
  return days === null ? null : new Date(now + days * DAY_MS).toISOString();
}
