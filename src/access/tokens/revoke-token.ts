import type { AccessContext, ChangeOptions, TokenRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import { requireToken } from './find-tokens.js';

/** Deletes a token. Its key becomes invalid everywhere within a second. Throws `access/unknown-token`. */
export async function revokeToken(
  { database }: AccessContext,
  name: string,
  options: ChangeOptions = {},
): Promise<TokenRecord> {
  return changeAccess(
    database,
    async (tx) => {
      const token = await requireToken(tx, name);
      await tx.model('ApiToken').delete({ where: { id: token.id } });
      return token;
    },
    options,
  );
}
