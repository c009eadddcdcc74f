import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../lib/error-code.js';
import { MANIFEST, printManifest } from '../archive/manifest.js';
import { TAR_END } from '../export/tar-entries.js';
import type { TarEntries } from '../export/tar-entries.js';

/** The copy of a database in a backup. */
export const DATABASE_FILE = 'database.sqlite';
/** The stored files in a backup, as in any archive. */
export const UPLOADS_FOLDER = 'assets/uploads';

/** Hidden files and folders are no stored files. */
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
export interface BackupContent {
  /** A copy of the database, which nobody writes. */
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
  yield* tar.file(DATABASE_FILE, (await stat(copy)).size, createReadStream(copy));
  let count = 0;
  for (const name of await listStored(uploads)) {
    const path = join(uploads, name);
    const found = await stat(path).catch(() => null);
    // A file that was deleted since the database was copied is in use no more.
    if (found === null) continue;
    yield* tar.file(`${UPLOADS_FOLDER}/${name}`, found.size, createReadStream(path));
    onFile((count += 1));
  }
  const createdAt = new Date().toISOString();
  yield* tar.text(MANIFEST, printManifest({ createdAt, kind: 'database', files: tar.digests }));
  yield TAR_END;
}
