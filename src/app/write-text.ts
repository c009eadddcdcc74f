import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const ALL_BITS = 0o777;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** The file's text, or null where there is none. */
export async function loadText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const besideOf = (file: string): string => `${file}.${process.pid}.new`;

/** The permission bits a file has now, so that the one that takes its place has them too. */
const modeOf = (file: string): Promise<number | undefined> => stat(file).then((found) => found.mode & ALL_BITS, () => undefined);

/** Writes what a file shall hold beside its place, for {@link takePlace} to put there. `mode` are the permission bits of a file that is new. */
export async function writeBeside(file: string, text: string, mode?: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const bits = (await modeOf(file)) ?? mode;
  await writeFile(besideOf(file), text, bits === undefined ? {} : { mode: bits });
}

/** Puts what was written beside a file in its place. */
export async function takePlace(file: string): Promise<void> {
  await rename(besideOf(file), file);
}

/** Removes what was written beside a file, if anything was. */
export async function dropBeside(file: string): Promise<void> {
  await rm(besideOf(file), { force: true });
}

/** Writes a file whole or not at all: beside its place first, then renamed. */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeBeside(file, text);
    await takePlace(file);
  } catch (error) {
    await dropBeside(file);
    throw error;
  }
}
