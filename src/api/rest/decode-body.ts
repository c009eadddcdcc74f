import { isUtf8 } from 'node:buffer';
import { createError } from '../../errors/catalogue.js';

/**
 * Returns the text of a request body.
 *
 * @throws `request/invalid-encoding` for bytes that are not UTF-8, which would be stored as replacement
 *   characters
 */
export function decodeBody(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw createError('request/invalid-encoding');
  return bytes.toString();
}
