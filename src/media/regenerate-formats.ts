import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFileHash } from './file-info.js';
import type { StoredFile } from './file-table.js';
import { generateFormats } from './images/generate-formats.js';
import type { GeneratedFormats } from './images/generate-formats.js';
import { loadSharp } from './images/image-library.js';
import { isDecodable, measureImage } from './images/measure-image.js';
import type { MediaContext } from './media-context.js';
import type { Regeneration } from './media.js';
import { addFormerKeys } from './former-addresses.js';
import { addEntry, removeOrphanedObjects } from './outbox.js';
import { withPlaces } from './file-table.js';
import { openObject, runFileWrite, storeFiles } from './store-files.js';

/** Thrown to roll the transaction back if the file was deleted or replaced meanwhile. */
class FileChanged extends Error {}

/** Generates the copies in a folder. They get a new hash, since caches keep the old addresses. */
const generate = async (
  { config, providers, imageQueue }: MediaContext,
  file: StoredFile,
  folder: string,
): Promise<GeneratedFormats | null> => {
  const { name, mime, ext } = file;
  const path = join(folder, 'original');
  await pipeline(await openObject(providers.current, file), createWriteStream(path));
  const size = await measureImage(path, { name, mime }, config);
  if (size === null) return null;
  const { maxPixels, breakpoints, formats } = config;
  const { urlOf } = providers.current;
  const image = { path, name, mime, ext, size, hash: createFileHash(name) };
  return imageQueue.run(() => generateFormats(image, { maxPixels, breakpoints, formats, folder, urlOf }));
};

const storeFormats = async (
  context: MediaContext,
  id: number,
  file: StoredFile,
  { formats, objects }: GeneratedFormats,
): Promise<boolean> =>
  runFileWrite(context, id, { action: 'update', data: { formats } }, async (write) => {
    let data = write.data ?? {};
    const entry = await storeFiles(context, [{ objects }], async (tx, places) => {
      const stored = await context.files.lock(tx, id);
      if (stored?.hash !== file.hash) throw new FileChanged();
      data = withPlaces(data, places);
      await context.hooks.before({ ...write, data }, tx);
      await context.files.update(tx, id, data);
      const [original] = stored.keys;
      const keys = stored.keys.filter((key) => key !== original);
      await addFormerKeys(tx, id, stored, keys);
      return addEntry(tx, { ...stored, keys });
    });
    await removeOrphanedObjects(context, entry);
    return { ...write, data };
  });

/**
 * Regenerates the smaller copies of an image with the current settings. Returns null if there is no such
 * file, or it was changed meanwhile.
 *
 * @throws `upload/invalid-image`, `upload/missing-object`, `upload/image-processing-unavailable`
 */
export async function regenerateFormats(context: MediaContext, id: number): Promise<Regeneration | null> {
  const { database, files, providers } = context;
  const file = await database.transact((tx) => files.find(tx, id));
  if (file === null) return null;
  if (!isDecodable(file.mime)) return 'no-image';
  if (file.provider !== providers.current.name) return 'other-provider';
  const images = await loadSharp();
  if (images.error !== null) throw images.error;
  const parent = providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'formats-'));
  try {
    const generated = await generate(context, file, folder);
    if (generated === null) return 'no-image';
    return (await storeFormats(context, id, file, generated)) ? 'regenerated' : null;
  } catch (error) {
    if (error instanceof FileChanged) return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
