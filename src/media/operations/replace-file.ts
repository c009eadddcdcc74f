import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { mediaKindOf } from '../../model/media-kind.js';
import type { FileWrite } from '../file-hooks.js';
import { contentValues, infoValues } from '../file-table.js';
import type { StoredFile } from '../file-table.js';
import { addFormerKeys } from '../former-addresses.js';
import { addEntry } from '../outbox.js';
import type { FileInfo, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { withPlaces } from '../stored-places.js';
import { runFileWrite } from './run-file-write.js';
import { removeOrphanedObjects } from './remove-orphaned-objects.js';
import { storeFiles } from './store-files.js';

/** Thrown to roll the transaction back if there is no such file. */
class FileMissing extends Error {}

/**
 * Rejects content of another kind than the file had, unless every attribute that links to the file accepts
 * it.
 *
 * @throws `upload/replacement-type-not-allowed`
 */
const assertKindAccepted = async (
  { findAcceptedKinds }: MediaContext,
  tx: Transaction,
  { documentId, mime: mimeBefore }: StoredFile,
  { name, mime }: StagedFile,
): Promise<void> => {
  if (mediaKindOf(mimeBefore) === mediaKindOf(mime)) return;
  const acceptedKinds = await findAcceptedKinds(tx, documentId);
  if (!acceptedKinds.includes(mediaKindOf(mime)))
    throw createError('upload/replacement-type-not-allowed', {
      name,
      type: mime,
      allowed: acceptedKinds.length === 0 ? mediaKindOf(mimeBefore) : acceptedKinds.join(' or '),
    });
};

const replace = async (
  context: MediaContext,
  id: number,
  file: StagedFile,
  requested: FileWrite,
): Promise<FileWrite | null> => {
  let write = requested;
  try {
    const replacedEntry = await storeFiles(context, [file], async (tx, places) => {
      const stored = await context.files.lock(tx, id);
      if (stored === null) throw new FileMissing();
      await assertKindAccepted(context, tx, stored, file);
      write = { ...requested, data: withPlaces(requested.data ?? {}, places) };
      await context.hooks.before(write, tx);
      await context.files.update(tx, id, write.data ?? {});
      await addFormerKeys(tx, id, stored);
      return addEntry(tx, stored);
    });
    await removeOrphanedObjects(context, replacedEntry);
    return write;
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
};

/**
 * Replaces the content of file `id`. Links to it stay. The content is stored under a new name, so that no
 * cache shows the old one, and former addresses in the local store lead to it. Returns false if there is no
 * such file.
 *
 * @throws `upload/replacement-type-not-allowed`
 */
export async function replaceFile(
  context: MediaContext,
  id: number,
  file: StagedFile,
  info: FileInfo,
): Promise<boolean> {
  const data = {
    // What another store has told of the content before is of no use for this one.
    previewUrl: null,
    provider_metadata: null,
    ...contentValues(file, context.providers.current.name),
    ...infoValues(info),
  };
  return runFileWrite(context, id, { action: 'update', data }, (write) => replace(context, id, file, write));
}
