import { createHash, randomFillSync } from 'node:crypto';

/** `api::article.article`, `plugin::upload.file`; components: `shared.seo`. */
export type Uid = string;

/**
 * Returns the part after the last dot: `article` of `api::article.article`, `find` of
 * `api::article.article.find`.
 */
export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/**
 * Returns the part before the last dot: `api::article.article` of `api::article.article.find`. Empty for
 * names without a dot.
 */
export function withoutLastSegment(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 24;

/** Number of random bytes per call to the system's source, because the calls are slow. */
const POOL_BYTES = 4096;

const pool = Buffer.alloc(POOL_BYTES);
let offset = POOL_BYTES;

const nextByte = (): number => {
  if (offset === POOL_BYTES) {
    randomFillSync(pool);
    offset = 0;
  }
  const byte = pool.readUInt8(offset);
  offset += 1;
  return byte;
};

/** Returns a random character. Skips bytes that would make some characters more likely. */
const randomCharacter = (characters: string): string => {
  const limit = 256 - (256 % characters.length);
  let byte = nextByte();
  while (byte >= limit) byte = nextByte();
  return characters.charAt(byte % characters.length);
};

/** Returns a new document id: 24 lower-case letters and digits that begin with a letter, not guessable. */
export function createDocumentId(): string {
  let id = randomCharacter(LETTERS);
  while (id.length < LENGTH) id += randomCharacter(CHARACTERS);
  return id;
}

/** The largest id that fits into an integer column on every supported database. */
const MAX_RECORD_ID = 2_147_483_647;

/**
 * Parses a numeric id from the text of a path, parameter or argument. Returns null for a value that cannot be
 * the id of a record.
 */
export function parseRecordId(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) return null;
  const id = Number(value);
  return id >= 1 && id <= MAX_RECORD_ID ? id : null;
}

/** Returns the SHA-256 hash in hexadecimal digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
