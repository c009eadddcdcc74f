import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { createError } from '../errors/catalogue.js';
import { sha256Hex } from '../lib/ids.js';
import { isRecord } from '../lib/records.js';
import { SECOND_MS } from '../lib/units.js';

const BEARER = /^bearer(?:\s+(.*))?$/is;

/**
 * Returns the credential of a Bearer header; null without a header, for another scheme and for an empty
 * credential.
 */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const bearer = BEARER.exec(header)?.[1]?.trim();
  return bearer === undefined || bearer === '' ? null : bearer;
}

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

const ALGORITHM = 'HS256';
const SECURITY_STAMP_LENGTH = 22;

/** The claims of a signed-in user's JWT. */
export interface JwtClaims {
  readonly userId: number;
  /** See {@link securityStampOf}. Null if project code issued the JWT, which does not know the password. */
  readonly securityStamp: string | null;
  /** The session that the JWT belongs to; null without refresh tokens. */
  readonly session: string | null;
}

/**
 * Returns a value that changes with the user's password without revealing anything about it. JWTs contain it,
 * so that changing the password invalidates all of them.
 */
export function securityStampOf(passwordHash: string | null, secret: string): string {
  return createHmac('sha256', secret)
    .update(`password ${passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, SECURITY_STAMP_LENGTH);
}

/** Returns JWT_SECRET. Throws `access/missing-jwt-secret` if the project has none. */
export function requireJwtSecret(secret: string | null): string {
  if (secret === null) throw createError('access/missing-jwt-secret');
  return secret;
}

/** Returns the secret as a key. jsonwebtoken first tries to parse a string as a public key, which is slow. */
const secretKeyOf = (secret: string): KeyObject => createSecretKey(secret, 'utf8');

/** Marks JWTs that project code has issued. */
const CODE_ISSUER = 'project';

/** Returns the JWT of a user who signs in. `lifetime` is in seconds. */
export function issueJwt(
  { userId, securityStamp, session }: JwtClaims & { readonly securityStamp: string },
  secret: string,
  lifetime: number,
): string {
  const payload = { id: userId, stamp: securityStamp, ...(session === null ? {} : { session }) };
  return jwt.sign(payload, secretKeyOf(secret), { algorithm: ALGORITHM, expiresIn: lifetime });
}

/** Returns a JWT for project code. With `id`, it identifies the user with that id. */
export function issueCodeJwt(
  payload: Readonly<Record<string, unknown>>,
  secret: string,
  options: Readonly<Record<string, unknown>>,
): string {
  return jwt.sign({ ...payload, issuedBy: CODE_ISSUER }, secretKeyOf(secret), {
    ...options,
    algorithm: ALGORITHM,
  });
}

/** Returns all claims of a JWT, or null if its signature, algorithm or age is not valid. */
export function readJwt(token: string, secret: string): Readonly<Record<string, unknown>> | null {
  try {
    const payload: unknown = jwt.verify(token, secretKeyOf(secret), { algorithms: [ALGORITHM] });
    return isRecord(payload) ? payload : null;
  } catch {
    return null;
  }
}

/** Returns the claims of a JWT, or null if its signature, algorithm, age or content is not valid. */
export function verifyJwt(token: string, secret: string): JwtClaims | null {
  const payload = readJwt(token, secret);
  if (payload === null) return null;
  const { id, stamp, session = null, issuedBy } = payload;
  const securityStamp = issuedBy === CODE_ISSUER && stamp === undefined ? null : stamp;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) return null;
  if (typeof securityStamp !== 'string' && securityStamp !== null) return null;
  return session === null || typeof session === 'string' ? { userId: id, securityStamp, session } : null;
}

/** Returns the hash under which a revoked JWT is stored. */
export function revokedJwtHash(token: string): string {
  return sha256Hex(`signed out ${token}`);
}

/** The last time of both databases, for JWTs of project code that never expire. */
const NEVER = new Date('9999-12-31T00:00:00.000Z');

/** Returns the time at which a verified JWT expires. */
export function jwtExpiry(token: string): Date {
  const payload: unknown = jwt.decode(token);
  const expiry = isRecord(payload) ? payload['exp'] : undefined;
  return typeof expiry === 'number' ? new Date(expiry * SECOND_MS) : NEVER;
}
