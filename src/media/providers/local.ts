import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageProvider, StoredObject } from '../media.js';
import { copiesFolder } from '../transforms/copy-cache.js';

/** The path at which the server serves the folder. */
export const LOCAL_PREFIX = '/uploads';

/** Hidden files, such as those that keep the folder in git, and folders are not stored objects. */
const listObjects = async (directory: string): Promise<readonly StoredObject[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const objects: StoredObject[] = [];
  for (const { name } of files) {
    const found = await stat(join(directory, name)).catch(() => null);
    if (found !== null) objects.push({ name, bytes: found.size });
  }
  return objects;
};

/**
 * Stores files in a folder of this machine. Staged files are in a hidden folder inside it, so that storing
 * one is an atomic rename.
 *
 * @param publicPath the path of the server as clients see it, if a proxy serves it below one: `/cms`
 */
export function createLocalProvider(directory: string, publicPath: string): StorageProvider {
  return Object.freeze<StorageProvider>({
    name: 'local',
    stagingFolder: join(directory, '.incoming'),
    put: async ({ key, path }) => {
      await rename(path, join(directory, key));
      return null;
    },
    open: async (key) => {
      const stream = createReadStream(join(directory, key));
      await once(stream, 'open');
      return stream;
    },
    list: () => listObjects(directory),
    remove: async (key) => {
      await rm(join(directory, key), { force: true });
      // A copy may be on its way into the folder.
      await rm(copiesFolder(directory, key), { recursive: true, force: true, maxRetries: 3 });
    },
    urlOf: (key) => `${publicPath}${LOCAL_PREFIX}/${encodeURIComponent(key)}`,
  });
}
