import { randomFillSync } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 24;

/** Number of random bytes from one call to the system's source, whose calls would cost most of the time. */
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

/** Returns a random character. Leaves out the bytes that would make some characters more likely. */
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
