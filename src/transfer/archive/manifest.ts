import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';

/** Ends an archive of Galley. */
export const MANIFEST = 'manifest.json';

const FORMAT = 'galley';
/** Counted up with every change that earlier releases would read wrongly. */
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

/** More than the names and digests of a million files take. */
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

/** @throws `transfer/incomplete-archive`, `transfer/unsupported-format` */
export function parseManifest(text: string, path: string): Manifest {
  const value = parse(text);
  const damaged = (reason: string): Error => createError('transfer/incomplete-archive', { path, reason });
  if (value === null || value['format'] !== FORMAT) throw damaged(`${MANIFEST} is not what Galley writes`);
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

/** The SHA-256 of a file, in hexadecimal. */
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

/** A manifest, and the digest of its own text. */
export interface VerifiedManifest extends Manifest {
  readonly sha256: string;
}

/** True if a folder is an unpacked archive of Galley. */
export async function hasManifest(folder: string): Promise<boolean> {
  return (await stat(join(folder, MANIFEST)).catch(() => null))?.isFile() === true;
}

/**
 * Reads the manifest of an unpacked archive, and compares all files with it.
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
      throw damaged(`${name} does not belong to it`);
  for (const [name, { size, sha256 }] of Object.entries(manifest.files)) {
    const found = /(?:^|\/)\.\.(?:\/|$)/.test(name) ? null : await stat(join(folder, name)).catch(() => null);
    if (found === null) throw damaged(`${name} is missing`);
    if (found.size !== size) throw damaged(`${name} has ${found.size} bytes instead of ${size}`);
    if ((await digestOf(join(folder, name))) !== sha256) throw damaged(`${name} was changed`);
  }
  return { ...manifest, sha256: createHash('sha256').update(text).digest('hex') };
}
