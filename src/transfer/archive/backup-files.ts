import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { MANIFEST, digestOf, printManifest } from './manifest.js';
import type { Manifest } from './manifest.js';
import { TAR_END } from './write-archive.js';
import type { TarEntries } from './write-archive.js';

/** The copy of a database in a backup. */
export const DATABASE_FILE = 'database.sqlite';
/** The folder of uploaded files in an archive. */
const UPLOADS_FOLDER = 'assets/uploads';

/** Lists the stored files, without hidden files and folders. */
const listStored = async (uploads: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(uploads, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
};

/** Content of a backup. */
interface BackupContent {
  /** The path of a copy of the database, which does not change. */
  readonly copy: string;
  /** The folder of uploaded files. */
  readonly uploads: string;
  readonly onFile: (count: number) => void;
}

/** Prints a copy of a database and the uploaded files as an archive. */
export async function* backupEntries(
  tar: TarEntries,
  { copy, uploads, onFile }: BackupContent,
): AsyncGenerator<Buffer> {
  yield* tar.file(DATABASE_FILE, (await stat(copy)).size, () => createReadStream(copy));
  let count = 0;
  for (const name of await listStored(uploads)) {
    const path = join(uploads, name);
    const found = await stat(path).catch(() => null);
    // A file that was deleted since the database was copied is no longer used.
    if (found === null) continue;
    yield* tar.file(`${UPLOADS_FOLDER}/${name}`, found.size, () => createReadStream(path));
    onFile((count += 1));
  }
  const createdAt = new Date().toISOString();
  yield* tar.text(MANIFEST, printManifest({ createdAt, kind: 'database', files: tar.digests }));
  yield TAR_END;
}

/**
 * Restores the files of a backup that are missing from a folder or differ. All others stay, since names of
 * stored files are never reused. Returns the number of restored files.
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
