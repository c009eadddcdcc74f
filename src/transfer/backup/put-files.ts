import { copyFile, mkdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { digestOf } from '../archive/manifest.js';
import type { Manifest } from '../archive/manifest.js';
import { UPLOADS_FOLDER } from './pack-backup.js';

/**
 * Puts the files of a backup back that a folder does not have, or has otherwise. All others stay, since the
 * names of stored files are never used twice. Returns the number of files that were put back.
 */
export async function putFiles(folder: string, { files }: Manifest, uploads: string): Promise<number> {
  await mkdir(join(uploads, '.incoming'), { recursive: true });
  let count = 0;
  for (const [path, { size, sha256 }] of Object.entries(files)) {
    if (!path.startsWith(`${UPLOADS_FOLDER}/`)) continue;
    const name = basename(path);
    const target = join(uploads, name);
    const found = await stat(target).catch(() => null);
    if (found?.size === size && (await digestOf(target)) === sha256) continue;
    const staged = join(uploads, '.incoming', `restored-${name}`);
    await copyFile(join(folder, path), staged);
    await rename(staged, target);
    count += 1;
  }
  return count;
}
