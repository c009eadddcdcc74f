import type { AccessContext, ChangeOptions, TokenRecord } from '../access.js';
import { change } from '../change.js';
import { requireToken } from './find-token.js';

/** Removes a token: its key stops working everywhere within a second. Throws `access/unknown-token`. */
export async function revokeToken({ database }: AccessContext, name: string, options: ChangeOptions = {}): Promise<TokenRecord> {
  return change(
    database,
    async (tx) => {
      const token = await requireToken(tx, name);
      await tx.model('ApiToken').delete({ where: { id: token.id } });
      return token;
    },
    options,
  );
}
