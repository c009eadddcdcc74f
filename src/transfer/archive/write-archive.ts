/**
 * The folder archive writes archives and backups, beginning in this file, and reads them, beginning in
 * open-archive.ts.
 */

import { createCipheriv, createHash, scryptSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, pipeline } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Header, Pax } from 'tar';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode, messageOf } from '../../lib/caught-errors.js';
import { OWNER_ONLY } from '../../lib/files.js';
import type { ContentSource, ImportPart } from '../source.js';
import { createPartFolder } from '../work-folder.js';
import type { WorkFolder } from '../work-folder.js';
import { detectContainer } from './container.js';
import { MANIFEST, printManifest, verifyArchive } from './manifest.js';
import type { FileDigest } from './manifest.js';

const BLOCK = 512;
const FILE_MODE = 0o644;
/** Strapi begins the next file at this size. */
const MAX_FILE_BYTES = 256_000_000;

/** Two empty blocks end an archive. */
export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK);

/** Returns the header of an entry. Long or non-ASCII names and large sizes require a Pax header. */
const headerOf = (path: string, size: number): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const entry = { path, size, mtime: new Date() };
  const needsPax = new Header({ ...entry, mode: FILE_MODE, type: 'File' }).encode(block, 0);
  return needsPax ? Buffer.concat([new Pax(entry).encode(), block]) : block;
};

/** Prints files as entries of a tar archive, and records their digests. */
export class TarEntries {
  readonly #digests: Record<string, FileDigest> = {};
  readonly #folder: string;

  /** @param folder for temporary files, whose size must be known before they are printed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Digests of the files printed until now, by path. */
  get digests(): Readonly<Record<string, FileDigest>> {
    return this.#digests;
  }

  /** @param open called once the header was read: a stream that nobody reads reports errors to nobody */
  async *file(path: string, size: number, open: () => AsyncIterable<unknown>): AsyncGenerator<Buffer> {
    yield headerOf(path, size);
    const hash = createHash('sha256');
    let written = 0;
    for await (const chunk of open()) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      written += bytes.length;
      hash.update(bytes);
      yield bytes;
    }
    if (written !== size) throw new Error(`${path} has ${written} bytes instead of ${size}`);
    this.#digests[path] = { size, sha256: hash.digest('hex') };
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }

  async *text(path: string, text: string): AsyncGenerator<Buffer> {
    const bytes = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    };
    yield* this.file(path, Buffer.byteLength(text), bytes);
  }

  /**
   * Prints records as files of JSON lines. Entries begin with their size, so lines go to a temporary file
   * first.
   */
  async *lines(kind: string, records: AsyncIterable<unknown>, count?: () => void): AsyncGenerator<Buffer> {
    const iterator = records[Symbol.asyncIterator]();
    let next = await iterator.next();
    for (let index = 1; next.done !== true; index += 1) {
      const file = join(this.#folder, kind);
      let size = 0;
      const lines = async function* (): AsyncGenerator<string> {
        while (next.done !== true && size < MAX_FILE_BYTES) {
          const line = `${JSON.stringify(next.value)}\n`;
          size += Buffer.byteLength(line);
          count?.();
          yield line;
          next = await iterator.next();
        }
      };
      await pipe(lines, createWriteStream(file));
      const path = `${kind}/${kind}_${String(index).padStart(5, '0')}.jsonl`;
      yield* this.file(path, (await stat(file)).size, () => createReadStream(file));
    }
  }
}

/** Compression and encryption of an archive. */
export interface Packing {
  readonly isCompressed: boolean;
  /** Null: not encrypted. */
  readonly key: string | null;
  /** Aborts writing and removes the incomplete archive. */
  readonly signal?: AbortSignal | undefined;
}

/** Content and packing of an archive. */
export interface ArchiveOptions extends Packing {
  readonly parts: ReadonlySet<ImportPart>;
  readonly onProgress?: ((detail: string) => void) | undefined;
}

/** Numbers of entities, links and assets written until now. */
export interface ArchiveCounts {
  entities: number;
  links: number;
  assets: number;
}

/** Number of records between two reports of progress. */
export const PROGRESS_INTERVAL = 500;

async function* entriesOf(
  source: ContentSource,
  { parts, onProgress }: ArchiveOptions,
  tar: TarEntries,
  counts: ArchiveCounts,
): AsyncGenerator<Buffer> {
  const isGalley = source.product === 'Galley';
  const count = (kind: keyof ArchiveCounts, label: string) => (): void => {
    counts[kind] += 1;
    if (counts[kind] % PROGRESS_INTERVAL === 0) onProgress?.(`${counts[kind]} ${label}`);
  };
  const countAsset = count('assets', 'files');
  yield* tar.lines('schemas', source.schemas());
  if (isGalley || parts.has('content')) {
    yield* tar.lines('entities', source.entities(), count('entities', 'records'));
    yield* tar.lines('links', source.links(), count('links', 'links'));
  }
  if (isGalley) yield* tar.lines('editorial', source.editorial());
  if (parts.has('files'))
    for await (const { name, metadata, size, open } of source.assets()) {
      yield* tar.text(`assets/metadata/${name}.json`, JSON.stringify(metadata));
      yield* tar.file(`assets/uploads/${name}`, size, open);
      countAsset();
    }
  if (parts.has('config')) yield* tar.lines('configuration', source.configuration());
  yield* tar.lines('tokens', source.apiTokens());
  const createdAt = new Date().toISOString();
  if (isGalley) yield* tar.text(MANIFEST, printManifest({ createdAt, kind: 'content', files: tar.digests }));
  else {
    const metadata = { createdAt, strapi: { version: source.version } };
    yield* tar.text('metadata.json', JSON.stringify(metadata, null, 2));
  }
  yield TAR_END;
}

const cipherOf = (key: string) => createCipheriv('aes-128-ecb', scryptSync(key, '', 16), null);

/** Compresses and encrypts a tar archive. */
export function packEntries(entries: AsyncIterable<Buffer>, { isCompressed, key }: Packing): Readable {
  const compressing = isCompressed ? createGzip() : new PassThrough();
  const encrypting = key === null ? new PassThrough() : cipherOf(key);
  // An error of any stream destroys the last one, which the caller reads.
  return pipeline(Readable.from(entries), compressing, encrypting, () => undefined);
}

/**
 * Returns an archive as a stream. `strapi import` accepts archives of content in Strapi's form.
 *
 * @param tar has a folder for temporary files, which the caller removes
 * @param counts counted up while the stream is read
 */
export function streamArchive(
  source: ContentSource,
  options: ArchiveOptions,
  { tar, counts }: { readonly tar: TarEntries; readonly counts: ArchiveCounts },
): Readable {
  return packEntries(entriesOf(source, options, tar, counts), options);
}

const toWriteError = (path: string, cause: unknown): unknown =>
  hasErrorCode(cause, 'ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'ENOENT', 'EFBIG')
    ? createError('transfer/cannot-write', { path, reason: messageOf(cause) }, { cause })
    : cause;

const verify = async (path: string, key: string | null, tar: TarEntries): Promise<void> =>
  verifyArchive(path, await detectContainer(path, () => Promise.resolve(key)), tar.digests);

/**
 * Writes an archive to a temporary path, reads it again, and moves it to `path` once its content is verified.
 * Replaces an existing file. Removes the temporary file on failure.
 *
 * @param open returns the stream to write; the folder is for temporary files
 * @throws `transfer/cannot-write`
 */
export async function writeVerifiedArchive(
  path: string,
  { key, signal, onProgress }: Pick<ArchiveOptions, 'key' | 'signal' | 'onProgress'>,
  open: (tar: TarEntries, folder: string) => Readable | Promise<Readable>,
): Promise<void> {
  let part: WorkFolder | null = null;
  try {
    part = await createPartFolder(path);
    const folder = part.path;
    const packed = join(folder, 'archive');
    const tar = new TarEntries(folder);
    await pipe(await open(tar, folder), createWriteStream(packed, { flush: true, mode: OWNER_ONLY }), {
      signal,
    });
    onProgress?.('reading it again');
    await verify(packed, key, tar).catch((cause: unknown) => {
      const reason = `reading it again failed: ${messageOf(cause)}`;
      throw createError('transfer/cannot-write', { path, reason }, { cause });
    });
    signal?.throwIfAborted();
    await rename(packed, path);
  } catch (error) {
    throw toWriteError(path, error);
  } finally {
    await part?.remove();
  }
}

/**
 * Writes an archive of content to a file.
 *
 * @throws `transfer/cannot-write`
 */
export async function writeArchive(
  source: ContentSource,
  path: string,
  options: ArchiveOptions,
): Promise<Readonly<ArchiveCounts>> {
  const counts = { entities: 0, links: 0, assets: 0 };
  await writeVerifiedArchive(path, options, (tar) => streamArchive(source, options, { tar, counts }));
  return counts;
}
