import { createHash } from 'node:crypto';

const HASH_LENGTH = 8;

const cutToBytes = (text: string, bytes: number): string => {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
};

/** The beginning of `text` and a hash of `identity`, within that many bytes. */
export function hashedName(text: string, maxBytes: number, identity = text): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH);
  const head = cutToBytes(text, maxBytes - HASH_LENGTH - 1).replace(/_+$/, '');
  return `${head}_${hash}`;
}

/**
 * The text itself where it fits into that many bytes of UTF-8, else its beginning and a hash of the whole, so that two long names
 * with the same beginning stay two names. The same on every machine.
 *
 * @example shortName('a_very_long_table_name_article_author_position_idx', 20) // 'a_very_long_1f4c9a02'
 */
export function shortName(text: string, maxBytes: number): string {
  return Buffer.byteLength(text) <= maxBytes ? text : hashedName(text, maxBytes);
}
