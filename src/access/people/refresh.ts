import { fail } from '../../errors/catalogue.js';
import { isSameHash } from '../access-key.js';
import { issueJwt, passwordStamp, requireJwtSecret } from '../jwt.js';
import type { UserState } from '../user-reader.js';
import { readTexts } from './body.js';
import { hashCode } from './codes.js';
import type { PeopleContext } from './people.js';
import { endSession, insertRefreshToken } from './sessions.js';

interface Rotation {
  readonly session: string;
  readonly stamp: string;
  readonly userDocumentId: string;
  /** Null: the token was used before, and so was stolen from somebody, or by somebody. */
  readonly refreshToken: string | null;
}

/** Exchanges a token for the next one of its session. Of two who try with the same one, one succeeds. Null: there is no such token. */
const rotate = (context: PeopleContext, token: string): Promise<Rotation | null> => {
  const hash = hashCode(token);
  const now = new Date(context.now());
  return context.database.transact(async (tx) => {
    const row = await tx.model('RefreshToken').findUnique({ where: { hash } });
    const [expiresAt, sessionEndsAt] = [row?.['expiresAt'], row?.['sessionEndsAt']];
    if (row === null || !(expiresAt instanceof Date) || !(sessionEndsAt instanceof Date) || expiresAt <= now) return null;
    const next = { session: String(row['session']), stamp: String(row['stamp']), userDocumentId: String(row['userDocumentId']), sessionEndsAt };
    const { count } = await tx.model('RefreshToken').updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } });
    return { ...next, refreshToken: count === 1 ? await insertRefreshToken(context, tx, next) : null };
  });
};

const mayContinue = ({ settings }: PeopleContext, user: UserState, stamp: string, secret: string): boolean =>
  !user.blocked && (user.confirmed || !settings.emailConfirmation) && isSameHash(stamp, passwordStamp(user.passwordHash, secret));

/**
 * Exchanges a refresh token for a new JWT and the next refresh token. One that is used twice ends its whole session, since one of the two
 * who had it should not have; so do a changed password and a blocked account.
 *
 * @throws `request/invalid-values`, `auth/invalid-refresh-token`
 */
export async function refresh(context: PeopleContext, body: unknown): Promise<{ readonly jwt: string; readonly refreshToken: string }> {
  const secret = requireJwtSecret(context.jwtSecret);
  const rotation = await rotate(context, readTexts(body, ['refreshToken']).refreshToken);
  if (rotation === null) throw fail('auth/invalid-refresh-token');
  const { session, stamp, userDocumentId, refreshToken } = rotation;
  const user = await context.users.byDocumentId(userDocumentId);
  if (refreshToken === null || user === null || !mayContinue(context, user, stamp, secret)) {
    await endSession(context, session);
    throw fail('auth/invalid-refresh-token');
  }
  return { jwt: issueJwt({ userId: user.id, stamp, session }, secret, context.settings.sessions.accessLifetime), refreshToken };
}
