import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { TOKEN_TYPES } from '../access.js';
import type { AccessContext, ChangeOptions, TokenRecord, TokenType } from '../access.js';
import { resolveActionNames } from '../permissions/actions.js';
import { changeAccess } from '../change-access.js';
import { TOKEN_SELECT, toTokenRecord } from '../rows.js';
import { createAccessKey, hashAccessKey } from './access-key.js';

export interface NewToken {
  readonly name: string;
  readonly description?: string | null;
  readonly type: TokenType;
  /** Full action names, only for type `custom`: `api::tag.tag.find`, or `api::tag.tag.*`. */
  readonly permissions?: readonly string[];
  /** Default: unlimited. */
  readonly lifespan?: Lifespan;
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

const ensureTokenNameAvailable = async (tx: Transaction, name: string, replace: boolean): Promise<void> => {
  if ((await tx.model('ApiToken').count({ where: { name } })) === 0) return;
  if (!replace) throw createError('access/token-exists', { name });
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
  const permissions = resolveTokenPermissions(context, input);
  const accessKey = createAccessKey();
  const keyHash = hashAccessKey(accessKey, context.salt);
  const write = async (tx: Transaction): Promise<IssuedToken> => {
    await ensureTokenNameAvailable(tx, name, input.replace === true);
    const row = await tx.model('ApiToken').create({
      data: {
        name,
        description: input.description ?? null,
        type: input.type,
        keyHash,
        expiresAt: expiryOf(input.lifespan ?? 'unlimited', Date.now()),
        permissions: { create: permissions.map((action) => ({ action })) },
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
