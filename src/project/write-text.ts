import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode, withFilePath } from '../lib/caught-errors.js';

const PERMISSION_BITS = 0o777;

/** Returns the text of a file, or null if the file does not exist. */
export async function loadText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

const temporaryPath = (file: string): string => `${file}.${process.pid}.new`;

/** Returns the permission bits of a file, for the file that replaces it. */
const modeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    (found) => found.mode & PERMISSION_BITS,
    () => undefined,
  );

/**
 * Writes the new text of a file to a temporary file in the same folder. {@link commitTemporary} renames it.
 * `mode` is the permission bits of a file that does not exist yet.
 */
export async function writeTemporary(file: string, text: string, mode?: number): Promise<void> {
  const bits = (await modeOf(file)) ?? mode;
  await withFilePath(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporaryPath(file), text, bits === undefined ? {} : { mode: bits });
  });
}

/** Replaces a file by its temporary file. */
export async function commitTemporary(file: string): Promise<void> {
  await rename(temporaryPath(file), file);
}

/** Removes a file's temporary file, if there is one. */
export async function removeTemporary(file: string): Promise<void> {
  await rm(temporaryPath(file), { force: true });
}

/** Writes a file atomically: to a temporary file first, which is then renamed. */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeTemporary(file, text);
    await commitTemporary(file);
  } catch (error) {
    await removeTemporary(file);
    throw error;
  }
}
