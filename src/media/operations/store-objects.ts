import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Transaction } from '../../database/database.js';
import type { ImportedObject, StagedObject } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { storeFiles } from './store-files.js';

/**
 * Stores objects under their own names, as files that another server has examined, and runs `work`, which
 * writes the rows that name them.
 */
export async function storeObjects<T>(
  context: MediaContext,
  objects: readonly ImportedObject[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (objects.length === 0) return context.database.transact(work);
  const parent = context.providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'import-'));
  try {
    const staged: StagedObject[] = [];
    for (const { key, mime, open } of objects) {
      const path = join(folder, String(staged.length));
      await pipeline(open(), createWriteStream(path));
      staged.push({ key, name: key, path, mime });
    }
    return await storeFiles(context, [{ objects: staged }], work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
