import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as pipe } from 'node:stream/promises';
import { Header, Pax } from 'tar';
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

  async *file(path: string, size: number, content: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
    yield headerOf(path, size);
    const hash = createHash('sha256');
    let written = 0;
    for await (const chunk of content) {
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
    yield* this.file(path, Buffer.byteLength(text), bytes());
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
      yield* this.file(path, (await stat(file)).size, createReadStream(file));
    }
  }
}
