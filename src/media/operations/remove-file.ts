import { removeFormerKeys } from '../former-addresses.js';
import { addEntry } from '../outbox.js';
import type { MediaContext } from '../media-context.js';
import { runFileWrite } from './run-file-write.js';
import { removeOrphanedObjects } from './remove-orphaned-objects.js';

/** Deletes a file: first its row and links, then what is stored. Returns false if there is no such file. */
export async function removeFile(context: MediaContext, id: number): Promise<boolean> {
  const { database, files, hooks } = context;
  return runFileWrite(context, id, { action: 'delete', data: null }, async (write) => {
    const entry = await database.transact(async (tx) => {
      const stored = await files.lock(tx, id);
      if (stored === null) return null;
      await hooks.before(write, tx);
      await files.delete(tx, stored);
      await removeFormerKeys(tx, id);
      return addEntry(tx, stored);
    });
    if (entry !== null) await removeOrphanedObjects(context, entry);
    return entry === null ? null : write;
  });
}
