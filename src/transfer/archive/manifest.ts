import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Parser } from 'tar';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { messageOf } from '../../lib/caught-errors.js';
import { sha256Hex } from '../../lib/ids.js';
import { layersOf, detectContainer } from './container.js';
import type { Container } from './container.js';

/** The last entry of a Galley archive. */
export const MANIFEST = 'manifest.json';

const FORMAT = 'galley';
/** Incremented with each change that earlier releases would misread. */
const FORMAT_VERSION = 1;

/** A file of an archive. */
export interface FileDigest {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Kind of an archive: content as records, or a copy of a database. */
type ArchiveKind = 'content' | 'database';

/** Manifest of an archive. */
export interface Manifest {
  readonly createdAt: string;
  readonly kind: ArchiveKind;
  /** All other files of the archive, by path. */
  readonly files: Readonly<Record<string, FileDigest>>;
}

export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...manifest }, null, 1)}\n`;
}

/** Above the size of a manifest of a million files. */
const MAX_BYTES = 256 * 1024 * 1024;

const isDigest = (value: unknown): value is FileDigest =>
  isRecord(value) && typeof value['size'] === 'number' && typeof value['sha256'] === 'string';

const parse = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

/** Parses a manifest. @throws `transfer/incomplete-archive`, `transfer/unsupported-format` */
function parseManifest(text: string, path: string): Manifest {
  const value = parse(text);
  const damaged = (reason: string): Error => createError('transfer/incomplete-archive', { path, reason });
  if (value === null || value['format'] !== FORMAT) throw damaged(`${MANIFEST} was not written by Galley`);
  if (value['formatVersion'] !== FORMAT_VERSION)
    throw createError('transfer/unsupported-format', {
      path,
      version: String(value['formatVersion']),
      known: FORMAT_VERSION,
    });
  const { createdAt, kind, files } = value;
  if (!isRecord(files) || !Object.values(files).every(isDigest)) throw damaged(`${MANIFEST} lists no files`);
  return {
    createdAt: String(createdAt),
    kind: kind === 'database' ? kind : 'content',
    files: files as Readonly<Record<string, FileDigest>>,
  };
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const listFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
};

/** A manifest with the digest of its text. */
interface VerifiedManifest extends Manifest {
  readonly sha256: string;
}

/** True if a folder is an unpacked Galley archive. */
export async function hasManifest(folder: string): Promise<boolean> {
  return (await stat(join(folder, MANIFEST)).catch(() => null))?.isFile() === true;
}

/**
 * Reads the manifest of an unpacked archive and verifies all files against it.
 *
 * @param path for messages
 * @throws `transfer/incomplete-archive`, `transfer/unsupported-format`
 */
export async function verifyFolder(folder: string, path: string): Promise<VerifiedManifest> {
  const damaged = (reason: string): Error => createError('transfer/incomplete-archive', { path, reason });
  if ((await stat(join(folder, MANIFEST))).size > MAX_BYTES) throw damaged(`${MANIFEST} is too long`);
  const text = await readFile(join(folder, MANIFEST), 'utf8');
  const manifest = parseManifest(text, path);
  for (const name of await listFiles(folder))
    if (name !== MANIFEST && !Object.hasOwn(manifest.files, name))
      throw damaged(`${name} is not listed in ${MANIFEST}`);
  for (const [name, { size, sha256 }] of Object.entries(manifest.files)) {
    const found = /(?:^|\/)\.\.(?:\/|$)/.test(name) ? null : await stat(join(folder, name)).catch(() => null);
    if (found === null) throw damaged(`${name} is missing`);
    if (found.size !== size) throw damaged(`${name} has ${found.size} bytes instead of ${size}`);
    if ((await digestOf(join(folder, name))) !== sha256) throw damaged(`${name} was changed`);
  }
  return { ...manifest, sha256: sha256Hex(text) };
}

/** Digests and manifest found by reading an archive. */
interface ArchiveDigests {
  readonly files: Map<string, FileDigest>;
  manifest: string;
}

const readEntries = async (path: string, container: Container): Promise<ArchiveDigests> => {
  const found: ArchiveDigests = { files: new Map(), manifest: '' };
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const hash = createHash('sha256');
      const isManifest = entry.path === MANIFEST;
      entry.on('data', (chunk) => {
        hash.update(chunk);
        if (isManifest) found.manifest += chunk.toString('utf8');
      });
      entry.on('end', () => found.files.set(entry.path, { size: entry.size, sha256: hash.digest('hex') }));
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', () => resolve());
    parser.on('error', reject);
  });
  const writing = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (parser.write(chunk)) done();
      else parser.once('drain', () => done());
    },
    final: (done) => {
      parser.end();
      done();
    },
  });
  await Promise.all([pipeline([createReadStream(path), ...layersOf(container), writing]), ended]);
  return found;
};

/**
 * Reads an archive without unpacking it, and verifies the digests of all its files.
 *
 * @param written the files of the archive. Undefined: those of its manifest
 * @throws `transfer/incomplete-archive`
 */
export async function verifyArchive(
  path: string,
  container: Container,
  written?: Readonly<Record<string, FileDigest>>,
): Promise<void> {
  const { files, manifest } = await readEntries(path, container).catch((error: unknown) => {
    throw createError('transfer/incomplete-archive', { path, reason: messageOf(error) }, { cause: error });
  });
  if (written === undefined) files.delete(MANIFEST);
  const expected = Object.entries(written ?? parseManifest(manifest, path).files);
  const wrong = expected.find(([name, { size, sha256 }]) => {
    const file = files.get(name);
    return file?.size !== size || file.sha256 !== sha256;
  });
  if (wrong !== undefined || files.size !== expected.length)
    throw createError('transfer/incomplete-archive', {
      path,
      reason: `${wrong?.[0] ?? 'a file'} was changed`,
    });
}

/**
 * Reads a Galley archive of another server and verifies it against its manifest.
 *
 * @throws `transfer/incomplete-archive`, `transfer/unknown-file`
 */
export async function verifyFetchedArchive(path: string): Promise<void> {
  await verifyArchive(path, await detectContainer(path, () => Promise.resolve(null)));
}
