import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import { mediaKindOf } from '../../model/media-kind.js';
import type { FileWrite } from '../file-hooks.js';
import { contentValues, infoValues } from '../file-table.js';
import type { StoredFile } from '../file-table.js';
import { note } from '../journal.js';
import type { FileInfo, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { changeFile } from './change-file.js';
import { giveUp } from './give-up.js';
import { storeFiles } from './store-files.js';

/** Carries "there is no such file" out of a transaction that is not to be kept. */
class Missing extends Error {}

/** Content of another kind takes the place only where everything takes it that links to the file. */
const assertTaken = async ({ kindsTaken }: MediaContext, tx: Transaction, { documentId, mime: before }: StoredFile, { name, mime }: StagedFile): Promise<void> => {
  if (mediaKindOf(before) === mediaKindOf(mime)) return;
  const taken = await kindsTaken(tx, documentId);
  if (!taken.includes(mediaKindOf(mime))) throw fail('upload/kind-not-taken', { name, type: mime, allowed: taken.join(' or ') || 'the kind that it is' });
};

const replace = async (context: MediaContext, id: number, file: StagedFile, write: FileWrite): Promise<boolean> => {
  try {
    const before = await storeFiles(context, [file], async (tx) => {
      const stored = await context.files.lock(tx, id);
      if (stored === null) throw new Missing();
      await assertTaken(context, tx, stored, file);
      await context.hooks.before(write, tx);
      await context.files.update(tx, id, write.data ?? {});
      return note(tx, stored);
    });
    await giveUp(context, before);
    return true;
  } catch (error) {
    if (error instanceof Missing) return false;
    throw error;
  }
};

/**
 * Gives file `id` another content. What links to it stays linked; it is stored under a new name, so that no cache shows the old content.
 * False: there is no such file.
 *
 * @throws `upload/kind-not-taken`
 */
export async function replaceFile(context: MediaContext, id: number, file: StagedFile, info: FileInfo): Promise<boolean> {
  const data = { ...contentValues(file, context.providers.current.name), ...infoValues(info) };
  return changeFile(context, id, { action: 'update', data }, (write) => replace(context, id, file, write));
}
