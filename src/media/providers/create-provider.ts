import type { Config } from '../../config/config.js';
import type { StorageProvider } from '../provider.js';
import { createLocalProvider } from './local.js';
import { createS3Provider } from './s3.js';

/** The stores of a project: the one new files go to, and those that rows may name. */
export interface Providers {
  readonly current: StorageProvider;
  /** Null: rows name a store that is no longer configured. */
  readonly named: (name: string) => StorageProvider | null;
}

/** @throws `upload/missing-package` where the configured store needs a package that is not installed */
export async function createProviders({ directory, provider, s3 }: Config['upload']): Promise<Providers> {
  const local = createLocalProvider(directory);
  const remote = s3.bucket === '' ? null : await createS3Provider(s3);
  const all = [local, ...(remote === null ? [] : [remote])];
  const named = (name: string): StorageProvider | null => all.find((candidate) => candidate.name === name) ?? null;
  return { current: named(provider) ?? local, named };
}
