import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../lib/ids.js';
import { HOUR_MS } from '../../lib/units.js';

/** Hidden, so that it is neither served nor listed. On the same disk as the uploaded files. */
const FOLDER = '.transforms';

/** Size of the smallest file on most disks. */
const BLOCK_BYTES = 4096;

/** Minimum interval between updates of the last use of a copy. */
const TOUCH_INTERVAL_MS = HOUR_MS;

/** The part of the limit that a process writes before it checks the size. */
const CHECK_FRACTION = 1 / 16;
const KEPT_FRACTION = 0.8;

const digest = (text: string): string => sha256Hex(text).slice(0, 32);

/** Returns the folder of the copies of one uploaded file. */
export function copiesFolder(directory: string, path: string): string {
  return join(directory, FOLDER, digest(path));
}

/** Copies of images on disk, which may be deleted at any time. */
export interface CopyCache {
  /** True if there is a copy. */
  readonly has: (path: string) => Promise<boolean>;
  /** Stores what `write` writes to a path: completely or not at all. */
  readonly store: (path: string, write: (partPath: string) => Promise<void>) => Promise<void>;
  /** Waits until a running eviction has ended. */
  readonly settled: () => Promise<void>;
}

interface Copy {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

const listCopies = async (root: string): Promise<readonly Copy[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const copies: Copy[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(() => null);
    if (found !== null)
      copies.push({ path, bytes: Math.max(found.size, BLOCK_BYTES), usedAt: found.atimeMs });
  }
  return copies;
};

/** Evicts the least recently used copies once all of them take more than `maxBytes`. */
const evictCopies = async (root: string, maxBytes: number): Promise<void> => {
  const copies = await listCopies(root);
  let total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  for (const { path, bytes } of copies.toSorted((left, right) => left.usedAt - right.usedAt)) {
    if (total <= maxBytes * KEPT_FRACTION) return;
    await rm(path, { force: true });
    total -= bytes;
  }
};

/**
 * Creates a cache in a hidden folder of `directory`. Several processes may share it. It exceeds `maxBytes` by
 * at most a sixteenth for each process.
 */
export function createCopyCache(
  directory: string,
  maxBytes: number,
  onError: (error: unknown) => void,
): CopyCache {
  const root = join(directory, FOLDER);
  let unchecked = Number.POSITIVE_INFINITY;
  let checking: Promise<void> = Promise.resolve();
  const countWritten = (bytes: number): void => {
    unchecked += Math.max(bytes, BLOCK_BYTES);
    if (unchecked < maxBytes * CHECK_FRACTION) return;
    unchecked = 0;
    checking = checking.then(() => evictCopies(root, maxBytes)).catch(onError);
  };
  return {
    has: async (path) => {
      const found = await stat(path).catch(() => null);
      if (found === null) return false;
      const now = Date.now();
      // The modification time stays, since HTTP caches compare it.
      if (found.atimeMs < now - TOUCH_INTERVAL_MS)
        await utimes(path, now / 1000, found.mtime).catch(() => {});
      return true;
    },
    store: async (path, write) => {
      await mkdir(join(path, '..'), { recursive: true });
      const partPath = `${path}.${randomUUID()}`;
      try {
        await write(partPath);
        const { size } = await stat(partPath);
        await rename(partPath, path);
        countWritten(size);
      } finally {
        await rm(partPath, { force: true });
      }
    },
    settled: () => checking,
  };
}
