import { createDecipheriv, scryptSync } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { createError } from '../../errors/catalogue.js';

/** Strapi derives the key of its exports without a salt. */
const CIPHER = 'aes-128-ecb';
const KEY_BYTES = 16;
const BLOCK_BYTES = 16;

/** Enough to hold the header of the first entry. */
const HEAD_BYTES = 512;
const TAR_MAGIC_OFFSET = 257;

/** Encryption and compression of an archive, from the outside in. */
export interface Container {
  /** Null: not encrypted. */
  readonly key: Buffer | null;
  readonly isCompressed: boolean;
}

/** Beginnings of files that are often mistaken for exports. */
const OTHER_FORMATS: readonly (readonly [prefix: string, name: string])[] = [
  ['PK\u0003\u0004', 'a ZIP archive'],
  ['SQLite format 3', 'a SQLite database'],
  ['PGDMP', 'a dump of PostgreSQL'],
];

/** Beginnings of text files. One of 128 encrypted archives begins with a bracket, too, but is not text. */
const OTHER_TEXT_FORMATS: typeof OTHER_FORMATS = [
  ['{', 'a JSON file'],
  ['[', 'a JSON file'],
  ['--', 'a text, probably SQL'],
];

/** True for gzip. Checks method and flags, since encrypted archives may have the same first two bytes. */
const isGzip = (head: Buffer): boolean =>
  head.length > 3 && head.readUIntBE(0, 3) === 0x1f_8b_08 && head.readUInt8(3) < 0x20;

const isTar = (head: Buffer): boolean =>
  head.toString('latin1', TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5) === 'ustar';

/** True if compressed content begins like a tar archive. A truncated one may lack a whole first header. */
const holdsTar = (head: Buffer): boolean => {
  try {
    const text = gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
    return text.length < HEAD_BYTES || isTar(text);
  } catch {
    return false;
  }
};

const isText = (head: Buffer): boolean => {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
};

/** Returns the format of a file that is not an archive, for messages. Undefined: it may be an archive. */
const findOtherFormat = (head: Buffer): string | undefined => {
  const text = head.toString('latin1');
  const known = isText(head) ? [...OTHER_FORMATS, ...OTHER_TEXT_FORMATS] : OTHER_FORMATS;
  return known.find(([prefix]) => text.startsWith(prefix))?.[1];
};

const isArchive = (head: Buffer): boolean => isTar(head) || (isGzip(head) && holdsTar(head));

/** Creates the decipher of an encrypted export. */
function createExportDecipher(key: Buffer) {
  return createDecipheriv(CIPHER, key, null);
}

/** Returns the streams that decrypt and decompress an archive. */
export function layersOf({ key, isCompressed }: Container): readonly Transform[] {
  return [...(key === null ? [] : [createExportDecipher(key)]), ...(isCompressed ? [createGunzip()] : [])];
}

/** Derives the key of an export from its password. */
function deriveExportKey(password: string): Buffer {
  return scryptSync(password, '', KEY_BYTES);
}

/**
 * Decrypts the beginning of a file. If that is the whole file, its last block holds the length of the
 * padding, which is removed.
 */
const decryptHead = (head: Buffer, size: number, key: Buffer): Buffer => {
  const decipher = createExportDecipher(key).setAutoPadding(false);
  const decrypted = decipher.update(head.subarray(0, head.length - (head.length % BLOCK_BYTES)));
  const padding = head.length === size ? Math.min(decrypted.at(-1) ?? 0, BLOCK_BYTES) : 0;
  return decrypted.subarray(0, decrypted.length - padding);
};

const readHead = async (path: string): Promise<{ readonly head: Buffer; readonly size: number }> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // The header of the first entry may be compressed to more than a few bytes.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES * 2), 0, HEAD_BYTES * 2, 0);
    return { head: buffer.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
};

/**
 * Detects the encryption and compression of an archive from its content rather than its name.
 *
 * @throws `transfer/unknown-file`, `transfer/key-required`, `transfer/wrong-key`,
 *   `transfer/incomplete-archive`
 */
export async function detectContainer(
  path: string,
  readKey: () => Promise<string | null>,
): Promise<Container> {
  const { head, size } = await readHead(path);
  if (size === 0) throw createError('transfer/incomplete-archive', { path, reason: 'it is empty' });
  if (isArchive(head)) return { key: null, isCompressed: isGzip(head) };
  const otherFormat = findOtherFormat(head);
  if (otherFormat !== undefined)
    throw createError('transfer/unknown-file', { path, reason: `it is ${otherFormat}` });
  if (isGzip(head))
    throw createError('transfer/unknown-file', {
      path,
      reason: 'its compressed content is not a tar archive',
    });
  const looksEncrypted = path.endsWith('.enc') || size % BLOCK_BYTES === 0;
  if (!looksEncrypted)
    throw createError('transfer/unknown-file', { path, reason: 'it is neither a tar archive nor encrypted' });
  const password = await readKey();
  if (password === null) throw createError('transfer/key-required', { path });
  const key = deriveExportKey(password);
  const decrypted = decryptHead(head, size, key);
  if (!isArchive(decrypted)) throw createError('transfer/wrong-key', { path });
  return { key, isCompressed: isGzip(decrypted) };
}
