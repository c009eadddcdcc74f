import { createCipheriv, scryptSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Header } from 'tar';
import type { ImportPart } from '../../import/import-options.js';
import type { StrapiSource } from '../source.js';

/** What an archive holds and how it is packed. */
export interface ArchiveOptions {
  readonly parts: ReadonlySet<ImportPart>;
  readonly isCompressed: boolean;
  /** Null: not encrypted. */
  readonly key: string | null;
}

export interface WrittenArchive {
  readonly entities: number;
  readonly links: number;
  readonly assets: number;
}

const BLOCK = 512;
const FILE_MODE = 0o644;
/** Strapi begins another file at this size. */
const MAX_FILE_BYTES = 256_000_000;

const headerOf = (path: string, size: number): Buffer => {
  const block = Buffer.alloc(BLOCK);
  new Header({ path, size, mode: FILE_MODE, type: 'File', mtime: new Date() }).encode(block, 0);
  return block;
};

async function* entryOf(path: string, size: number, content: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  yield headerOf(path, size);
  let written = 0;
  for await (const chunk of content) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    written += bytes.length;
    yield bytes;
  }
  if (written !== size) throw new Error(`${path} has ${written} bytes instead of ${size}`);
  yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

const textEntry = (path: string, text: string): AsyncGenerator<Buffer> =>
  entryOf(path, Buffer.byteLength(text), Readable.from([Buffer.from(text)]));

/** Entries state their size first, so that the lines of a file are kept on disk until they are counted. */
async function* linesEntries(
  kind: string,
  records: AsyncIterable<unknown>,
  folder: string,
  count: () => void,
): AsyncGenerator<Buffer> {
  const iterator = records[Symbol.asyncIterator]();
  let next = await iterator.next();
  for (let index = 1; next.done !== true; index += 1) {
    const file = join(folder, kind);
    let size = 0;
    const lines = async function* (): AsyncGenerator<string> {
      while (next.done !== true && size < MAX_FILE_BYTES) {
        const line = `${JSON.stringify(next.value)}\n`;
        size += Buffer.byteLength(line);
        count();
        yield line;
        next = await iterator.next();
      }
    };
    await pipeline(lines, createWriteStream(file));
    const path = `${kind}/${kind}_${String(index).padStart(5, '0')}.jsonl`;
    yield* entryOf(path, (await stat(file)).size, createReadStream(file));
  }
}

async function* entriesOf(
  source: StrapiSource,
  { parts }: ArchiveOptions,
  folder: string,
  counts: { entities: number; links: number; assets: number },
): AsyncGenerator<Buffer> {
  const uncounted = (): void => undefined;
  yield* linesEntries('schemas', source.schemas(), folder, uncounted);
  if (parts.has('content')) {
    yield* linesEntries('entities', source.entities(), folder, () => (counts.entities += 1));
    yield* linesEntries('links', source.links(), folder, () => (counts.links += 1));
  }
  if (parts.has('files'))
    for await (const { name, metadata, size, open } of source.assets()) {
      yield* textEntry(`assets/metadata/${name}.json`, JSON.stringify(metadata));
      yield* entryOf(`assets/uploads/${name}`, size, open());
      counts.assets += 1;
    }
  if (parts.has('config')) yield* linesEntries('configuration', source.configuration(), folder, uncounted);
  const metadata = { createdAt: new Date().toISOString(), strapi: { version: source.version } };
  yield* textEntry('metadata.json', JSON.stringify(metadata, null, 2));
  yield Buffer.alloc(2 * BLOCK);
}

const cipherOf = (key: string) => createCipheriv('aes-128-ecb', scryptSync(key, '', 16), null);

/**
 * Writes an archive that `strapi import` takes. What is there at the path is replaced once the archive is
 * complete.
 */
export async function writeArchive(
  source: StrapiSource,
  path: string,
  options: ArchiveOptions,
): Promise<WrittenArchive> {
  // The name is always the same, so that the next export removes what a killed one has left.
  const folder = join(dirname(path), `.${basename(path)}.part`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const counts = { entities: 0, links: 0, assets: 0 };
  try {
    const packed = join(folder, 'archive');
    await pipeline(
      Readable.from(entriesOf(source, options, folder, counts)),
      options.isCompressed ? createGzip() : new PassThrough(),
      options.key === null ? new PassThrough() : cipherOf(options.key),
      createWriteStream(packed),
    );
    await rename(packed, path);
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
