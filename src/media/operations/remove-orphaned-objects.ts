import { claimEntry, deleteEntry } from '../outbox.js';
import type { OutboxEntry } from '../outbox.js';
import type { MediaContext } from '../media-context.js';

/**
 * Removes the stored objects of an outbox entry, unless their rows were written after all. If this fails, the
 * next sweep tries again.
 */
export async function removeOrphanedObjects(
  { database, providers, onError }: MediaContext,
  entry: OutboxEntry,
): Promise<void> {
  try {
    const provider = providers.find(entry.provider);
    if (provider === null) return;
    const claimed = await claimEntry(database, entry);
    if (claimed === null) return;
    for (const key of claimed.keys) await provider.remove(key, claimed.places[key]);
    await deleteEntry(database, claimed);
  } catch (error) {
    onError(error);
  }
}
