import { createError } from '../../errors/catalogue.js';
import { shellWord } from '../../lib/shell-word.js';
import { createAccessKey, hashAccessKey } from './access-key.js';
import type { AccessContext, ChangeOptions } from '../access.js';
import { changeAccess } from '../change-access.js';
import { expiryOf } from './create-token.js';
import type { Lifespan, IssuedToken } from './create-token.js';
import { TOKEN_SELECT, toTokenRecord } from '../rows.js';
import { requireToken } from './find-tokens.js';

export interface TokenRegeneration {
  readonly name: string;
  /** Counted from now; default: the token expires when it would have before. */
  readonly lifespan?: Lifespan;
}

/**
 * Gives a token a new access key. The old key becomes invalid everywhere within a second.
 *
 * @throws `access/unknown-token`, `access/token-expired` if it has expired and gets no new lifespan,
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
    context.database,
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
          reason: 'A preview token needs an end.',
          remedy: 'Pass another --lifespan.',
        });
      const row = await tx.model('ApiToken').update({
        where: { id: token.id },
        data: { keyHash, expiresAt, lastUsedAt: null },
        select: TOKEN_SELECT,
      });
      return { token: toTokenRecord(row), accessKey };
    },
    options,
  );
}
