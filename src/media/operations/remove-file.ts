import { note } from '../journal.js';
import type { MediaContext } from '../media-context.js';
import { changeFile } from './change-file.js';
import { giveUp } from './give-up.js';

/** Deletes a file: its row and its links at once, then what is stored. False: there is no such file. */
export async function removeFile(context: MediaContext, id: number): Promise<boolean> {
  const { database, files, hooks } = context;
  return changeFile(context, id, { action: 'delete', data: null }, async (write) => {
    const entry = await database.transact(async (tx) => {
      const stored = await files.lock(tx, id);
      if (stored === null) return null;
      await hooks.before(write, tx);
      await files.delete(tx, stored);
      return note(tx, stored);
    });
    if (entry !== null) await giveUp(context, entry);
    return entry !== null;
  });
}
