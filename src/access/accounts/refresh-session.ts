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
  /** Null: the token had been used before, so it may have been stolen. */
  readonly refreshToken: string | null;
}

/**
 * Exchanges a refresh token for the next one of its session. Of two simultaneous attempts, one succeeds.
 * Returns null if there is no such token.
 */
const rotateRefreshToken = (context: AccountContext, token: string): Promise<TokenRotation | null> => {
  const hash = hashCode(token);
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
    return { ...next, refreshToken: count === 1 ? await insertRefreshToken(context, tx, next) : null };
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
 * Exchanges a refresh token for a new JWT and the next refresh token. A token that is used twice ends the
 * whole session, since it may have been stolen. A changed password and a blocked
 * account end it too.
 *
 * @throws `request/invalid-values`, `auth/invalid-refresh-token`
 */
export async function refreshSession(
  context: AccountContext,
  body: unknown,
): Promise<{ readonly jwt: string; readonly refreshToken: string }> {
  const secret = requireJwtSecret(context.jwtSecret);
  const rotation = await rotateRefreshToken(context, parseBodyFields(body, ['refreshToken']).refreshToken);
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
