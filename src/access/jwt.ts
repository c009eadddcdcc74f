import { createHmac } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';

const ALGORITHM = 'HS256';
const STAMP_LENGTH = 22;

/** What a signed-in user's JWT says. */
export interface Claims {
  readonly userId: number;
  /** See {@link passwordStamp}. */
  readonly stamp: string;
  /** The session it belongs to; null without refresh tokens. */
  readonly session: string | null;
}

/**
 * Stands for a user's present password without telling anything about it. Tokens carry it, so that whatever changes the password, by
 * whichever way, ends everything that was signed in with the one before.
 */
export function passwordStamp(passwordHash: string | null, secret: string): string {
  return createHmac('sha256', secret).update(`password ${passwordHash ?? ''}`).digest('base64url').slice(0, STAMP_LENGTH);
}

/** JWT_SECRET. Throws `access/no-jwt-secret` where the project has none. */
export function requireJwtSecret(secret: string | null): string {
  if (secret === null) throw fail('access/no-jwt-secret');
  return secret;
}

/** Makes the JWT that signs a user in. `lifetime` is in seconds. */
export function issueJwt({ userId, stamp, session }: Claims, secret: string, lifetime: number): string {
  const payload = { id: userId, stamp, ...(session === null ? {} : { session }) };
  return jwt.sign(payload, secret, { algorithm: ALGORITHM, expiresIn: lifetime });
}

/** What a JWT says, or null where its signature, algorithm, age or content is not right. */
export function verifyJwt(token: string, secret: string): Claims | null {
  try {
    const payload: unknown = jwt.verify(token, secret, { algorithms: [ALGORITHM] });
    if (!isRecord(payload)) return null;
    const { id, stamp, session = null } = payload;
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0 || typeof stamp !== 'string') return null;
    return session === null || typeof session === 'string' ? { userId: id, stamp, session } : null;
  } catch {
    return null;
  }
}
