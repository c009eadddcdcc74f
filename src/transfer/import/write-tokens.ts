import type { Transaction } from '../../database/database.js';
import type { ContentSource } from '../source.js';
import type { ImportRun } from './import-run.js';
import type { Tally } from './tally.js';

/** Says that databases have API tokens, and what their keys need. */
export async function tellTokens(source: ContentSource, tally: Tally): Promise<void> {
  let count = 0;
  for await (const _ of source.apiTokens()) count += 1;
  const reason = 'their keys keep working only where API_TOKEN_SALT is that of the project they come from';
  if (count > 0) tally.add({ what: 'API tokens', reason }, count);
}

/** Writes API tokens with the hashes of their keys. Tokens of a name that is taken already stay. */
export async function writeTokens(
  { source, options }: Pick<ImportRun, 'source' | 'options'>,
  tx: Transaction,
): Promise<void> {
  const tokens = tx.model('ApiToken');
  if (options.existing === 'clear') await tokens.deleteMany({ where: {} });
  for await (const { accessKey, permissions, lifespan: _, ...token } of source.apiTokens()) {
    if ((await tokens.count({ where: { name: token.name } })) > 0) continue;
    const actions = token.type === 'custom' || token.type === 'preview' ? permissions : [];
    await tokens.create({
      data: { ...token, keyHash: accessKey, permissions: { create: actions.map((action) => ({ action })) } },
      select: { id: true },
    });
  }
}
