import type { Transaction } from '../../database/database.js';
import { addEntry, commitEntry } from '../outbox.js';
import type { StagedFile, StoredPlace, StoredPlaces } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { removeOrphanedObjects } from './remove-orphaned-objects.js';

/**
 * Stores staged files and runs `work`, which writes their rows. Either both happen or neither: an outbox
 * entry is written first, and is deleted in the transaction that writes the rows. `work` gets what the store
 * has told of their addresses.
 */
export async function storeFiles<T>(
  context: MediaContext,
  files: readonly Pick<StagedFile, 'objects'>[],
  work: (tx: Transaction, places: StoredPlaces) => Promise<T>,
): Promise<T> {
  const { database } = context;
  const provider = context.providers.current;
  const objects = files.flatMap((file) => file.objects);
  const entry = await database.transact((tx) =>
    addEntry(tx, { provider: provider.name, keys: objects.map(({ key }) => key), places: {} }),
  );
  const places: Record<string, StoredPlace> = {};
  try {
    for (const object of objects) {
      const place = await provider.put(object);
      if (place !== null) places[object.key] = place;
    }
    return await database.transact(async (tx) => {
      await commitEntry(tx, entry);
      return work(tx, places);
    });
  } catch (error) {
    await removeOrphanedObjects(context, { ...entry, places });
    throw error;
  }
}
