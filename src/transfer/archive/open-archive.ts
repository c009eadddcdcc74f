import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { createWorkFolder } from '../work-folder.js';
import type { ContentSource } from '../source.js';
import { recogniseContainer } from './container.js';
import { openExportFolder } from './folder-source.js';
import type { ExportFolder } from './read-lines.js';
import { unpack } from './unpack.js';

/** An archive that has been unpacked, or was a folder all along. */
export interface UnpackedArchive {
  readonly folder: ExportFolder;
  readonly remove: () => Promise<void>;
}

type ReadKey = () => Promise<string | null>;

/** Unpacks an archive to a folder inside the project. */
export async function unpackArchive(
  path: string,
  root: string,
  readKey: ReadKey,
  description: string = basename(resolve(path)),
): Promise<UnpackedArchive> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw createError('transfer/not-found', { path });
  if (found.isDirectory()) return { folder: { path, description }, remove: () => Promise.resolve() };
  const container = await recogniseContainer(path, readKey);
  const { path: folder, remove } = await createWorkFolder(root);
  try {
    await unpack(path, container, folder);
    return { folder: { path: folder, description }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Opens an archive of Galley or an export of Strapi: a tar archive, compressed or encrypted or neither, or a
 * folder. An archive is unpacked to a folder inside the project, which `close` removes.
 *
 * @param root the folder of the project that is imported into
 * @param readKey asked for the key of an encrypted export; null where there is none
 * @param description for messages
 * @throws `transfer/not-found`, `transfer/foreign-file`, `transfer/incomplete-archive`,
 *   `transfer/key-required`, `transfer/wrong-key`, `transfer/unsafe-entry`, `transfer/unsupported-version`
 */
export async function openArchive(
  path: string,
  root: string,
  readKey: ReadKey = () => Promise.resolve(null),
  description?: string,
): Promise<ContentSource> {
  const { folder, remove } = await unpackArchive(path, root, readKey, description);
  try {
    return await openExportFolder(folder, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}
