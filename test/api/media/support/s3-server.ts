import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface S3Server {
  readonly run: () => Promise<{ readonly port: number }>;
  readonly close: () => Promise<void>;
}

type S3ServerClass = new (options: Readonly<Record<string, unknown>>) => S3Server;

/** A CommonJS package without types. */
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3ServerClass;

export const BUCKET = 'site-files';
export const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

const SUFFIX = '._S3rver_object';

/** A real S3-compatible store with one empty bucket. */
export interface S3Store {
  readonly endpoint: string;
  /** The part of the `upload.s3` settings with its address and credentials. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Returns the keys of the stored objects. The store keeps each as a few files in a folder. */
  readonly keys: () => Promise<readonly string[]>;
  /** Stops responding. The contents stay until they are removed. */
  readonly stop: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function startS3Store(): Promise<S3Store> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  });
  const endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  let isRunning = true;
  const stop = async (): Promise<void> => {
    if (isRunning) await server.close();
    isRunning = false;
  };
  return {
    endpoint,
    settings: { bucket: BUCKET, endpoint, forcePathStyle: true, ...CREDENTIALS },
    keys: async () => {
      const names = await readdir(join(folder, BUCKET), { recursive: true });
      return names
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length))
        .toSorted();
    },
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
