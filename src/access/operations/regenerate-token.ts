import { fail } from '../../errors/catalogue.js';
import { createAccessKey, hashAccessKey } from '../access-key.js';
import type { AccessContext, ChangeOptions } from '../access.js';
import { change } from '../change.js';
import { expiryOf } from '../lifespan.js';
import type { Lifespan } from '../lifespan.js';
import { TOKEN_SELECT, tokenOf } from '../rows.js';
import type { IssuedToken } from './create-token.js';
import { requireToken } from './find-token.js';

export interface Regeneration {
  readonly name: string;
  /** Counted from now; unset: the token stops working when it would have. */
  readonly lifespan?: Lifespan;
}

/**
 * Gives a token a new access key; the old one stops working everywhere within a second.
 *
 * @throws `access/unknown-token`, `access/token-expired` for one that is over and gets no new lifespan, `access/no-salt`
 */
export async function regenerateToken(context: AccessContext, { name, lifespan }: Regeneration, options: ChangeOptions = {}): Promise<IssuedToken> {
  const accessKey = createAccessKey();
  const keyHash = hashAccessKey(accessKey, context.salt);
  return change(
    context.database,
    async (tx) => {
      const token = await requireToken(tx, name);
      const now = Date.now();
      const expiresAt = lifespan === undefined ? token.expiresAt : expiryOf(lifespan, now);
      if (expiresAt !== null && Date.parse(expiresAt) <= now) throw fail('access/token-expired', { name, date: expiresAt.slice(0, 10) });
      const row = await tx.model('ApiToken').update({ where: { id: token.id }, data: { keyHash, expiresAt, lastUsedAt: null }, select: TOKEN_SELECT });
      return { token: tokenOf(row), accessKey };
    },
    options,
  );
}
