import { stat } from 'node:fs/promises';
import type { LocalFile } from '../../transfer/store/media-store.js';
import { createError } from '../../errors/catalogue.js';

/**
 * Checks before anything is stored that all files are there.
 *
 * @throws `upload/no-file`, and the file system's error for a missing file
 */
export async function assertLocalFiles(files: readonly LocalFile[]): Promise<void> {
  for (const { path } of files)
    if (!(await stat(path)).isFile()) throw createError('upload/no-file', { path });
}
