import { createReadStream } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Unpack } from 'tar';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { messageOf } from '../../lib/caught-errors.js';
import { MEGABYTE } from '../../lib/units.js';
import type { ContentSource } from '../source.js';
import { createWorkFolder } from '../work-folder.js';
import { layersOf, detectContainer } from './container.js';
import type { Container } from './container.js';
import { openExportFolder } from './export-folder.js';
import type { ExportFolder } from './export-folder.js';

const FILES = /^(?:metadata\.json|manifest\.json|database\.sqlite)$/;
const FOLDERS = /^(?:schemas|entities|links|configuration|tokens|editorial|assets)(?:\/|$)/;

const isPart = (name: string): boolean => FILES.test(name) || FOLDERS.test(name);

/** Entries of these types are files; all others would be links or devices. */
const ALLOWED_TYPES = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir']);

/** Returns the reason that an entry must not be unpacked. Null: it may be unpacked. */
const refusalOf = (path: string, type: string): string | null => {
  const isOutside = /^(?:[/\\]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes('..');
  if (isOutside) return 'leads out of the folder it is unpacked to';
  return ALLOWED_TYPES.has(type) ? null : `is not a file but a ${type}`;
};

/**
 * Maximum ratio of unpacked to compressed size. Records of rows unpack to 10 to 30 times their size, and
 * archives made to fill a disk to 200 to 1,000 times. Small archives are exempt.
 */
const MAX_RATIO = 100;
const ALWAYS_ALLOWED = 32 * MEGABYTE;

/** The share of the free space that an archive may take, since the import needs some, too. */
const USABLE_SHARE = 0.9;

const toMegabytes = (bytes: number): string => `${Math.ceil(bytes / MEGABYTE).toLocaleString('en')} MB`;

interface UnpackLimits {
  /** @throws `transfer/too-compressed` once more bytes were decompressed than any export has */
  readonly countBytes: (bytes: number) => void;
  /** @throws `transfer/no-space` for a file that no longer fits into the free space */
  readonly countFile: (bytes: number) => void;
}

/** Returns checks that limit unpacking by the size of the archive and by the free space. */
const createLimits = async (
  path: string,
  { isCompressed }: Container,
  folder: string,
): Promise<UnpackLimits> => {
  const { size } = await stat(path);
  const { bavail, bsize } = await statfs(folder);
  const maxBytes = isCompressed ? Math.max(size * MAX_RATIO, ALWAYS_ALLOWED) : Infinity;
  const free = bavail * bsize;
  let bytes = 0;
  let needed = 0;
  return {
    countBytes: (count) => {
      bytes += count;
      if (bytes > maxBytes) throw createError('transfer/too-compressed', { path, ratio: MAX_RATIO });
    },
    countFile: (count) => {
      needed += Math.ceil(count / bsize) * bsize;
      if (needed > free * USABLE_SHARE)
        throw createError('transfer/no-space', {
          path,
          needed: `at least ${toMegabytes(needed)}`,
          folder,
          free: toMegabytes(free),
        });
    },
  };
};

/** Returns the error of a failed unpacking. */
const toUnpackError = (path: string, folder: string, cause: unknown): Error => {
  if (isGalleyError(cause)) return cause;
  const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  return isFull
    ? createError('transfer/no-space', { path, needed: 'more', folder, free: 'no more' }, { cause })
    : createError('transfer/incomplete-archive', { path, reason: messageOf(cause) }, { cause });
};

/** Returns a stream that passes bytes to the unpacking with backpressure. */
const feed = (unpacking: Unpack, onBytes: (count: number) => void): PassThrough => {
  const bytes = new PassThrough();
  let isAtEnd = false;
  unpacking.once('eof', () => {
    isAtEnd = true;
  });
  bytes.on('data', (chunk: Buffer) => {
    onBytes(chunk.length);
    // Bytes after the end of an archive would stay in memory.
    if (isAtEnd || unpacking.write(chunk)) return;
    bytes.pause();
    unpacking.once('drain', () => bytes.resume());
  });
  bytes.on('end', () => unpacking.end());
  return bytes;
};

/**
 * Unpacks the parts of an export into a folder.
 *
 * @throws `transfer/unsafe-entry`, `transfer/incomplete-archive`, `transfer/too-compressed`,
 *   `transfer/no-space`
 */
async function unpack(path: string, container: Container, folder: string): Promise<void> {
  const limits = await createLimits(path, container, folder);
  const abort = new AbortController();
  /** Runs a check. Returns true if it passes; ends the unpacking if it throws. */
  const attempt = (act: () => void): boolean => {
    try {
      act();
    } catch (error) {
      abort.abort(error);
    }
    return !abort.signal.aborted;
  };
  const unpacking = new Unpack({
    cwd: folder,
    strict: true,
    filter: (name, entry) =>
      attempt(() => {
        const refusal = refusalOf(name, 'type' in entry ? String(entry.type) : 'File');
        if (refusal !== null)
          throw createError('transfer/unsafe-entry', { path, entry: name, reason: refusal });
      }) &&
      isPart(name.replace(/^(?:\.\/)+/, '')) &&
      attempt(() => limits.countFile(entry.size)),
  });
  const ended = new Promise<void>((close, reject) => {
    unpacking.on('close', close);
    unpacking.on('error', reject);
  });
  const bytes = feed(unpacking, (count) => attempt(() => limits.countBytes(count)));
  try {
    await Promise.all([
      pipeline([createReadStream(path), ...layersOf(container), bytes], { signal: abort.signal }),
      ended,
    ]);
    abort.signal.throwIfAborted();
  } catch (error) {
    unpacking.end();
    await Promise.allSettled([ended]);
    throw toUnpackError(path, folder, abort.signal.aborted ? abort.signal.reason : error);
  }
}

/** An unpacked archive, or a folder that needed no unpacking. */
export interface UnpackedArchive {
  readonly folder: ExportFolder;
  readonly remove: () => Promise<void>;
}

type ReadKey = () => Promise<string | null>;

/** Unpacks an archive to a folder inside the project. A folder is returned as it is. */
export async function unpackArchive(
  path: string,
  root: string,
  readKey: ReadKey,
  description: string = basename(resolve(path)),
): Promise<UnpackedArchive> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw createError('transfer/not-found', { path });
  if (found.isDirectory()) return { folder: { path, description }, remove: () => Promise.resolve() };
  const container = await detectContainer(path, readKey);
  const { path: folder, remove } = await createWorkFolder(root);
  try {
    await unpack(path, container, folder);
    return { folder: { path: folder, description }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Opens an archive of Galley or an export of Strapi: a tar archive, compressed or encrypted or neither, or a
 * folder. An archive is unpacked to a folder inside the project, which `close` removes.
 *
 * @param root the folder of the project that is imported into
 * @param readKey returns the key of an encrypted export; null if there is none
 * @param description for messages
 * @throws `transfer/not-found`, `transfer/unknown-file`, `transfer/incomplete-archive`,
 *   `transfer/key-required`, `transfer/wrong-key`, `transfer/unsafe-entry`, `transfer/unsupported-version`
 */
export async function openArchive(
  path: string,
  root: string,
  readKey: ReadKey = () => Promise.resolve(null),
  description?: string,
): Promise<ContentSource> {
  const { folder, remove } = await unpackArchive(path, root, readKey, description);
  try {
    return await openExportFolder(folder, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}
