import type { AccessContext, TokenRecord } from '../access.js';
import { TOKEN_SELECT, tokenOf } from '../rows.js';

/** All tokens by name, without their keys. */
export async function listTokens({ database }: AccessContext): Promise<readonly TokenRecord[]> {
  return database.transact(async (tx) => {
    const rows = await tx.model('ApiToken').findMany({ select: TOKEN_SELECT, orderBy: { name: 'asc' } });
    return rows.map(tokenOf);
  });
}
