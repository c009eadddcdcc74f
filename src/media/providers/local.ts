import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageProvider } from '../media.js';

/** The path at which the server serves the folder. */
export const LOCAL_PREFIX = '/uploads';

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
    remove: (key) => rm(join(directory, key), { force: true }),
    urlOf: (key) => `${publicPath}${LOCAL_PREFIX}/${encodeURIComponent(key)}`,
  });
}
