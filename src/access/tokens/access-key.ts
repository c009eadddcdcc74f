import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createError } from '../../errors/catalogue.js';

const KEY_BYTES = 64;

/** Returns a new access key: 128 hexadecimal digits from the system's random source. */
export function createAccessKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/**
 * Returns the hash under which an access key is stored: HMAC-SHA-512 with API_TOKEN_SALT, in hexadecimal.
 * Throws `access/missing-token-salt`.
 */
export function hashAccessKey(key: string, salt: string | null): string {
  if (salt === null) throw createError('access/missing-token-salt');
  return createHmac('sha512', salt).update(key).digest('hex');
}

/** Compares two hashes in constant time. */
export function isSameHash(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
