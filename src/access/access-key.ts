import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { fail } from '../errors/catalogue.js';

const KEY_BYTES = 64;

/** A new access key: 128 hexadecimal digits from the system's random source. */
export function createAccessKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** What is stored of an access key: HMAC-SHA-512 with API_TOKEN_SALT, in hexadecimal. Throws `access/no-salt`. */
export function hashAccessKey(key: string, salt: string | null): string {
  if (salt === null) throw fail('access/no-salt');
  return createHmac('sha512', salt).update(key).digest('hex');
}

/** Compares two hashes in a time that says nothing about where they differ. */
export function isSameHash(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
