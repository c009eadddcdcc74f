import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { overdue } from '../journal.js';
import type { MediaContext } from '../media-context.js';
import { giveUp } from './give-up.js';

/** No upload takes this long from its last byte to its rows. */
const STORING = 60 * 60 * 1000;
/** No upload takes this long to come in. */
const RECEIVING = 24 * 60 * 60 * 1000;

const clearStaging = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((): readonly string[] => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - RECEIVING) await rm(path, { recursive: true, force: true });
  }
};

/** Removes what processes that ended in the middle of an upload or a deletion have left behind. */
export async function sweep(context: MediaContext): Promise<void> {
  await clearStaging(context.providers.current.stagingFolder);
  for (const entry of await overdue(context.database, STORING)) await giveUp(context, entry);
}
