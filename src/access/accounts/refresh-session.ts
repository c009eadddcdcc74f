import { createHmac } from 'node:crypto';
import type { AccountSettings } from '../../config/account-settings.js';
import { createError } from '../../errors/catalogue.js';
import { isSameHash } from '../tokens/access-key.js';
import { issueJwt, securityStampOf, requireJwtSecret } from './jwt.js';
import type { UserState } from './user-reader.js';
import { parseBodyFields } from './parse-body-fields.js';
import { hashCode } from './codes.js';
import type { AccountContext } from './account-context.js';
import { endSession, insertRefreshToken } from './sessions.js';

/** A used refresh token, and the one that replaces it. */
interface TokenRotation {
  readonly session: string;
  /** The user's security stamp when the session was started. */
  readonly stamp: string;
  readonly userDocumentId: string;
  /** Null: the token was used some time ago, so it may have been stolen. */
  readonly refreshToken: string | null;
}

/** The time in which a used token still gives its successor: two tabs of a browser refresh together. */
const GRACE_MS = 10_000;

/**
 * Returns the token that replaces another one. It follows from that token, so that whoever sends the same
 * token once more gets the same successor, of which only the hash is stored.
 */
const successorOf = (token: string, secret: string): string =>
  createHmac('sha256', secret).update(`refresh ${token}`).digest('hex');

/**
 * Exchanges a refresh token for the next one of its session. Simultaneous attempts get the same one. Returns
 * null if there is no such token.
 */
const rotateRefreshToken = (
  context: AccountContext,
  token: string,
  secret: string,
): Promise<TokenRotation | null> => {
  const hash = hashCode(token);
  const successor = successorOf(token, secret);
  const now = new Date(context.now());
  return context.database.transact(async (tx) => {
    const row = await tx.model('RefreshToken').findUnique({ where: { hash } });
    const [expiresAt, sessionEndsAt] = [row?.['expiresAt'], row?.['sessionEndsAt']];
    if (row === null || !(expiresAt instanceof Date) || !(sessionEndsAt instanceof Date) || expiresAt <= now)
      return null;
    const next = {
      session: String(row['session']),
      stamp: String(row['stamp']),
      userDocumentId: String(row['userDocumentId']),
      sessionEndsAt,
    };
    const { count } = await tx
      .model('RefreshToken')
      .updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } });
    if (count === 1) await insertRefreshToken(context, tx, next, successor);
    // A token that was unused when it was read and is used now was exchanged at this very moment.
    const usedAt = row['usedAt'] instanceof Date ? row['usedAt'] : now;
    const isInTime = count === 1 || now.getTime() - usedAt.getTime() <= GRACE_MS;
    return { ...next, refreshToken: isInTime ? successor : null };
  });
};

const isRefreshAllowed = (
  { emailConfirmation }: Pick<AccountSettings, 'emailConfirmation'>,
  user: UserState,
  securityStamp: string,
  secret: string,
): boolean =>
  !user.blocked &&
  (user.confirmed || !emailConfirmation) &&
  isSameHash(securityStamp, securityStampOf(user.passwordHash, secret));

/**
 * Exchanges a refresh token for a new JWT and the next refresh token. A token that is used again after some
 * seconds ends the whole session, since it may have been stolen. A changed password and a blocked account end
 * it too.
 *
 * @throws `request/invalid-values`, `auth/invalid-refresh-token`
 */
export async function refreshSession(
  context: AccountContext,
  body: unknown,
): Promise<{ readonly jwt: string; readonly refreshToken: string }> {
  const secret = requireJwtSecret(context.jwtSecret);
  const token = parseBodyFields(body, ['refreshToken']).refreshToken;
  const rotation = await rotateRefreshToken(context, token, secret);
  if (rotation === null) throw createError('auth/invalid-refresh-token');
  const { session, stamp: securityStamp, userDocumentId, refreshToken } = rotation;
  const user = await context.users.byDocumentId(userDocumentId);
  const settings = await context.currentSettings();
  if (refreshToken === null || user === null || !isRefreshAllowed(settings, user, securityStamp, secret)) {
    await endSession(context, session);
    throw createError('auth/invalid-refresh-token');
  }
  return {
    jwt: issueJwt(
      { userId: user.id, securityStamp, session },
      secret,
      context.settings.sessions.accessLifetime,
    ),
    refreshToken,
  };
}
