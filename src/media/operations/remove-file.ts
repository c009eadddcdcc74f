import { note } from '../journal.js';
import type { MediaContext } from '../media-context.js';
import { giveUp } from './give-up.js';

/** Deletes a file: its row and its links at once, then what is stored. False: there is no such file. */
export async function removeFile(context: MediaContext, id: number): Promise<boolean> {
  const { database, files } = context;
  const entry = await database.transact(async (tx) => {
    const stored = await files.lock(tx, id);
    if (stored === null) return null;
    await files.delete(tx, stored);
    return note(tx, stored);
  });
  if (entry === null) return false;
  await giveUp(context, entry);
  return true;
}
