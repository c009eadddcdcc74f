import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import { openArchive } from '../../transfer/archive/open-archive.js';
import type { ContentSource } from '../../transfer/source.js';
import { createWorkFolder } from '../../transfer/work-folder.js';

/** An archive that arrives as a stream. */
export interface ArrivingArchive {
  readonly stream: Readable;
  /** For messages: `the archive of https://…`. */
  readonly description: string;
  /** Of an encrypted archive. */
  readonly key?: string;
}

/**
 * Receives an archive to its end and opens it, for `importContent`. The temporary files are removed when the
 * source is closed.
 *
 * @param root the folder of the project that is imported into
 * @throws what `openArchive` throws, and the stream's error
 */
export async function receiveArchive(
  root: string,
  { stream, description, key }: ArrivingArchive,
): Promise<ContentSource> {
  const folder = await createWorkFolder(root);
  try {
    const path = join(folder.path, 'received');
    await pipeline(stream, createWriteStream(path));
    const source = await openArchive(path, root, () => Promise.resolve(key ?? null), description);
    const close = async (): Promise<void> => {
      await source.close();
      await folder.remove();
    };
    return { ...source, close };
  } catch (error) {
    await folder.remove();
    if (!hasErrorCode(error, 'ENOSPC')) throw error;
    const place = { path: description, needed: 'more', folder: root, free: 'no more' };
    throw createError('transfer/no-space', place, { cause: error });
  }
}
