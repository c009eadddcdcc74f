import { claim, strike } from '../journal.js';
import type { JournalEntry } from '../journal.js';
import type { MediaContext } from '../media-context.js';

/** Removes stored files that no row stands for; those that got their rows after all stay. What fails now the next sweep does. */
export async function giveUp({ database, providers, onError }: MediaContext, entry: JournalEntry): Promise<void> {
  try {
    const provider = providers.named(entry.provider);
    if (provider === null) return;
    const claimed = await claim(database, entry);
    if (claimed === null) return;
    for (const key of claimed.keys) await provider.remove(key);
    await strike(database, claimed);
  } catch (error) {
    onError(error);
  }
}
