import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findOverdueEntries } from '../outbox.js';
import type { MediaContext } from '../media-context.js';
import { removeOrphanedObjects } from './remove-orphaned-objects.js';

/** No upload takes longer from its last byte until its rows are written. */
const STORING_TIMEOUT_MS = 60 * 60 * 1000;
/** No upload takes longer to arrive. */
const RECEIVING_TIMEOUT_MS = 24 * 60 * 60 * 1000;

const clearStaging = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((): readonly string[] => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - RECEIVING_TIMEOUT_MS)
      await rm(path, { recursive: true, force: true });
  }
};

/** Removes what was left behind by processes that ended during an upload or a deletion. */
export async function sweep(context: MediaContext): Promise<void> {
  await clearStaging(context.providers.current.stagingFolder);
  for (const entry of await findOverdueEntries(context.database, STORING_TIMEOUT_MS))
    await removeOrphanedObjects(context, entry);
}
