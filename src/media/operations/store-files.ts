import type { Transaction } from '../../database/database.js';
import { addEntry, commitEntry } from '../outbox.js';
import type { StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { removeOrphanedObjects } from './remove-orphaned-objects.js';

/**
 * Stores staged files and runs `work`, which writes their rows. Either both happen or neither: an outbox
 * entry is written first, and is deleted in the transaction that writes the rows.
 */
export async function storeFiles<T>(
  context: MediaContext,
  files: readonly Pick<StagedFile, 'objects'>[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { database, providers } = context;
  const objects = files.flatMap((file) => file.objects);
  const entry = await database.transact((tx) =>
    addEntry(tx, { provider: providers.current.name, keys: objects.map(({ key }) => key) }),
  );
  try {
    for (const object of objects) await providers.current.put(object);
    return await database.transact(async (tx) => {
      await commitEntry(tx, entry);
      return work(tx);
    });
  } catch (error) {
    await removeOrphanedObjects(context, entry);
    throw error;
  }
}
