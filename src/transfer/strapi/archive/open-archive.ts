import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { createError } from '../../../errors/catalogue.js';
import { createWorkFolder } from '../../work-folder.js';
import type { StrapiSource } from '../source.js';
import { recogniseContainer } from './container.js';
import { openExportFolder } from './folder-source.js';
import { unpack } from './unpack.js';

/**
 * Opens an export of Strapi: a tar archive, compressed or encrypted or neither, or a folder. An archive is
 * unpacked to a folder inside the project, which `close` removes.
 *
 * @param root the folder of the project that is imported into
 * @param readKey asked for the key of an encrypted export; null where there is none
 * @throws `transfer/not-found`, `transfer/foreign-file`, `transfer/incomplete-archive`,
 *   `transfer/key-required`, `transfer/wrong-key`, `transfer/unsafe-entry`, `transfer/unsupported-version`
 */
export async function openArchive(
  path: string,
  root: string,
  readKey: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<StrapiSource> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw createError('transfer/not-found', { path });
  const description = basename(resolve(path));
  if (found.isDirectory()) return openExportFolder({ path, description });
  const container = await recogniseContainer(path, readKey);
  const folder = await createWorkFolder(root);
  try {
    await unpack(path, container, folder.path);
    return await openExportFolder({ path: folder.path, description }, folder.remove);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
