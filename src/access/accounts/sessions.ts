import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { Caller } from '../access.js';
import { issueJwt, securityStampOf, requireJwtSecret } from './jwt.js';
import type { UserState } from './user-reader.js';
import { createCode, hashCode } from './codes.js';
import type { AccountContext, SignInResult } from './account-context.js';
import { readUserRecord } from './user-record.js';

const SECOND_MS = 1000;

/** A refresh token about to be stored. */
export interface NewRefreshToken {
  readonly session: string;
  readonly userDocumentId: string;
  /** The user's security stamp when the session was started. */
  readonly stamp: string;
  readonly sessionEndsAt: Date;
}

/** Issues a refresh token and returns it. Only its hash is stored. */
export async function insertRefreshToken(
  { settings, now }: AccountContext,
  tx: Transaction,
  newToken: NewRefreshToken,
): Promise<string> {
  const token = createCode();
  const idleEnd = new Date(now() + settings.sessions.idleLifetime * SECOND_MS);
  const expiresAt = idleEnd < newToken.sessionEndsAt ? idleEnd : newToken.sessionEndsAt;
  await tx.model('RefreshToken').create({ data: { ...newToken, hash: hashCode(token), expiresAt } });
  return token;
}

const startSession = async (
  context: AccountContext,
  user: UserState,
  securityStamp: string,
): Promise<{ readonly session: string; readonly refreshToken: string }> => {
  const { settings, now, database } = context;
  const session = randomUUID();
  const sessionEndsAt = new Date(now() + settings.sessions.maxLifetime * SECOND_MS);
  const refreshToken = await database.transact(async (tx) => {
    await tx.model('RefreshToken').deleteMany({ where: { sessionEndsAt: { lt: new Date(now()) } } });
    return insertRefreshToken(context, tx, {
      session,
      userDocumentId: user.documentId,
      stamp: securityStamp,
      sessionEndsAt,
    });
  });
  return { session, refreshToken };
};

/**
 * Issues a JWT, and in projects with refresh tokens starts a session. The caller has verified the user's
 * identity.
 *
 * @throws `access/missing-jwt-secret`
 */
export async function signIn(context: AccountContext, user: UserState): Promise<SignInResult> {
  const { settings } = context;
  const secret = requireJwtSecret(context.jwtSecret);
  const securityStamp = securityStampOf(user.passwordHash, secret);
  const record = await readUserRecord(context, user.documentId);
  if (settings.mode === 'plain')
    return {
      jwt: issueJwt({ userId: user.id, securityStamp, session: null }, secret, settings.jwtLifetime),
      refreshToken: null,
      user: record,
    };
  const { session, refreshToken } = await startSession(context, user, securityStamp);
  return {
    jwt: issueJwt({ userId: user.id, securityStamp, session }, secret, settings.sessions.accessLifetime),
    refreshToken,
    user: record,
  };
}

/** Ends a session, so that none of its tokens is valid any more. */
export async function endSession(
  { database }: Pick<AccountContext, 'database'>,
  session: string,
): Promise<void> {
  await database.transact((tx) => tx.model('RefreshToken').deleteMany({ where: { session } }));
}

/** Ends all sessions of a user. */
export async function endUserSessions(
  { database }: Pick<AccountContext, 'database'>,
  userDocumentId: string,
): Promise<void> {
  await database.transact((tx) => tx.model('RefreshToken').deleteMany({ where: { userDocumentId } }));
}

/**
 * Ends the session a user is signed in with. Its JWT and its refresh token become invalid at once. Throws
 * `request/unauthorized`.
 */
export async function logout(context: AccountContext, caller: Caller): Promise<{ readonly ok: true }> {
  if (caller.kind !== 'user' || caller.session === null) throw createError('request/unauthorized');
  await endSession(context, caller.session);
  return { ok: true };
}
