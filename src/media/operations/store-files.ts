import type { Transaction } from '../../database/database.js';
import { note, settle } from '../journal.js';
import type { StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { giveUp } from './give-up.js';

/**
 * Stores staged files and runs `work`, which writes their rows. Both happen or neither: what is stored is noted in the database first,
 * and the note goes in the transaction that brings the rows.
 */
export async function storeFiles<T>(context: MediaContext, files: readonly StagedFile[], work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { database, providers } = context;
  const objects = files.flatMap((file) => file.objects);
  const entry = await database.transact((tx) => note(tx, { provider: providers.current.name, keys: objects.map(({ key }) => key) }));
  try {
    for (const object of objects) await providers.current.put(object);
    return await database.transact(async (tx) => {
      await settle(tx, entry);
      return work(tx);
    });
  } catch (error) {
    await giveUp(context, entry);
    throw error;
  }
}
