import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createError } from '../../../errors/catalogue.js';
import type { StrapiSource } from '../source.js';
import { recogniseContainer } from './container.js';
import { openExportFolder } from './folder-source.js';
import { unpack } from './unpack.js';

/**
 * Opens an export of Strapi: a tar archive, compressed or encrypted or neither, or a folder. An archive is
 * unpacked to a temporary folder, which `close` removes.
 *
 * @param readKey asked for the key of an encrypted export; null where there is none
 * @throws `transfer/not-found`, `transfer/foreign-file`, `transfer/incomplete-archive`,
 *   `transfer/key-required`, `transfer/wrong-key`, `transfer/unsafe-entry`, `transfer/unsupported-version`
 */
export async function openArchive(
  path: string,
  readKey: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<StrapiSource> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw createError('transfer/not-found', { path });
  const description = basename(resolve(path));
  if (found.isDirectory()) return openExportFolder({ path, description });
  const container = await recogniseContainer(path, readKey);
  const folder = await mkdtemp(join(tmpdir(), 'galley-import-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await unpack(path, container, folder);
    return await openExportFolder({ path: folder, description }, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}
