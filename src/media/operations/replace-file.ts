import { contentValues, infoValues } from '../file-table.js';
import { note } from '../journal.js';
import type { FileInfo, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { giveUp } from './give-up.js';
import { storeFiles } from './store-files.js';

/** Carries "there is no such file" out of a transaction that is not to be kept. */
class Missing extends Error {}

/**
 * Gives file `id` another content. What links to it stays linked; it is stored under a new name, so that no cache shows the old content.
 * False: there is no such file.
 */
export async function replaceFile(context: MediaContext, id: number, file: StagedFile, info: FileInfo): Promise<boolean> {
  const values = { ...contentValues(file, context.providers.current.name), ...infoValues(info) };
  try {
    const before = await storeFiles(context, [file], async (tx) => {
      const stored = await context.files.lock(tx, id);
      if (stored === null) throw new Missing();
      await context.files.update(tx, id, values);
      return note(tx, stored);
    });
    await giveUp(context, before);
    return true;
  } catch (error) {
    if (error instanceof Missing) return false;
    throw error;
  }
}
