import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import { createAccessKey, hashAccessKey } from '../access-key.js';
import { TOKEN_TYPES } from '../access.js';
import type { AccessContext, ChangeOptions, TokenRecord, TokenType } from '../access.js';
import { resolveActionNames } from '../actions.js';
import { change } from '../change.js';
import { expiryOf } from '../lifespan.js';
import type { Lifespan } from '../lifespan.js';
import { TOKEN_SELECT, tokenOf } from '../rows.js';

export interface NewToken {
  readonly name: string;
  readonly description?: string | null;
  readonly type: TokenType;
  /** Full action names, for `custom` only: `api::tag.tag.find`, or `api::tag.tag.*`. */
  readonly permissions?: readonly string[];
  /** Unset: unlimited. */
  readonly lifespan?: Lifespan;
  /** Takes the place of a token of that name. */
  readonly replace?: boolean;
}

export interface IssuedToken {
  readonly token: TokenRecord;
  /** Shown now and never again. */
  readonly accessKey: string;
}

const checkedPermissions = ({ model }: AccessContext, { type, permissions = [] }: NewToken): readonly string[] => {
  if (!TOKEN_TYPES.includes(type)) throw fail('access/invalid-token', { reason: `${String(type)} is no token type.`, remedy: `Types are ${TOKEN_TYPES.join(', ')}.` });
  if (type === 'custom' && permissions.length === 0) {
    throw fail('access/invalid-token', { reason: 'A custom token needs permissions.', remedy: 'Name each with --permission, such as api::tag.tag.find.' });
  }
  if (type !== 'custom' && permissions.length > 0) {
    throw fail('access/invalid-token', { reason: `A ${type} token takes no permissions.`, remedy: 'Make it of type custom.' });
  }
  return resolveActionNames(model, permissions);
};

const makeRoom = async (tx: Transaction, name: string, replace: boolean): Promise<void> => {
  if ((await tx.model('ApiToken').count({ where: { name } })) === 0) return;
  if (!replace) throw fail('access/token-exists', { name });
  await tx.model('ApiToken').deleteMany({ where: { name } });
};

/**
 * Makes an API token and its access key, of which only a keyed hash is kept.
 *
 * @throws `access/no-salt`, `access/invalid-token`, `access/token-exists`, `access/unknown-action`
 */
export async function createToken(context: AccessContext, input: NewToken, options: ChangeOptions = {}): Promise<IssuedToken> {
  const name = input.name.trim();
  if (name === '') throw fail('access/invalid-token', { reason: 'A token needs a name.', remedy: 'Pass --name.' });
  const permissions = checkedPermissions(context, input);
  const accessKey = createAccessKey();
  const keyHash = hashAccessKey(accessKey, context.salt);
  const write = async (tx: Transaction): Promise<IssuedToken> => {
    await makeRoom(tx, name, input.replace === true);
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
    return { token: tokenOf(row), accessKey };
  };
  return change(context.database, write, options);
}
