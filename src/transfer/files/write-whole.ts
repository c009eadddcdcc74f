import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withFilePath } from '../../lib/with-file-path.js';

/** Extension of files that are being written. The next write replaces the file of a killed process. */
export const PARTIAL_EXTENSION = '.part';

/** Writes a file beside its place and renames it, so that it is there as a whole or not at all. */
export async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}${PARTIAL_EXTENSION}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await withFilePath(path, () => write(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes a text as a whole or not at all. */
export async function writeWholeText(path: string, text: string): Promise<void> {
  await writeWhole(path, (partial) => writeFile(partial, text));
}
