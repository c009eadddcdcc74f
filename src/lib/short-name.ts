import { createHash } from 'node:crypto';

const HASH_LENGTH = 8;

const truncateToBytes = (text: string, bytes: number): string => {
  let truncated = text;
  while (Buffer.byteLength(truncated) > bytes) truncated = [...truncated].slice(0, -1).join('');
  return truncated;
};

/** Returns the beginning of `text` and a hash of `identity`, within `maxBytes`. */
export function hashedName(text: string, maxBytes: number, identity = text): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH);
  const prefix = truncateToBytes(text, maxBytes - HASH_LENGTH - 1).replace(/_+$/, '');
  return `${prefix}_${hash}`;
}

/**
 * Returns the text if it fits into `maxBytes` of UTF-8, otherwise its beginning and a hash of the whole, so
 * that different names stay different.
 *
 * @example
 *   shortName('a_very_long_table_name_article_author_position_idx', 20); // 'a_very_long_1f4c9a02'
 */
export function shortName(text: string, maxBytes: number): string {
  return Buffer.byteLength(text) <= maxBytes ? text : hashedName(text, maxBytes);
}
