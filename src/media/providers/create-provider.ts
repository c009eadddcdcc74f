import type { Config } from '../../config/config.js';
import type { StorageProvider } from '../media.js';
import { createLocalProvider } from './local.js';
import { createS3Provider } from './s3.js';

/** The stores of a project: the one for new files, and all that rows may name. */
export interface Providers {
  readonly current: StorageProvider;
  /** Returns null for a store that is no longer configured. */
  readonly find: (name: string) => StorageProvider | null;
  /** Has new files go to another store. */
  readonly replace: (provider: StorageProvider) => void;
}

/**
 * Creates the stores of a project. `publicPath` precedes the URLs of files that the server itself serves.
 *
 * @throws `upload/missing-package` if the configured store needs a package that is not installed
 */
export async function createProviders(
  { directory, provider, s3 }: Config['upload'],
  publicPath = '',
): Promise<Providers> {
  const local = createLocalProvider(directory, publicPath);
  const remote = s3.bucket === '' ? null : await createS3Provider(s3);
  const all = [local, ...(remote === null ? [] : [remote])];
  const find = (name: string): StorageProvider | null =>
    all.find((candidate) => candidate.name === name) ?? null;
  let current = find(provider) ?? local;
  return {
    get current() {
      return current;
    },
    find,
    replace: (storage) => {
      all.push(storage);
      current = storage;
    },
  };
}
