import { createHmac, randomUUID } from 'node:crypto';
import type { AccountSettings } from '../../config/account-settings.js';
import type { Transaction } from '../../database/database.js';
import { defineTable } from '../../database/table.js';
import type { Identity } from '../../documents/log/actors.js';
import { createError } from '../../errors/catalogue.js';
import { SECOND_MS } from '../../lib/units.js';
import type { Caller } from '../access.js';
import {
  bearerToken,
  isSameHash,
  issueJwt,
  jwtExpiry,
  requireJwtSecret,
  revokedJwtHash,
  securityStampOf,
} from '../credentials.js';
import { parseBodyFields, readUserRecord } from './account-context.js';
import type { AccountContext, SignInResult } from './account-context.js';
import { createCode, hashCode } from './codes.js';
import type { UserState } from './user-reader.js';

/** Returns the identity of a user for the log. */
export function identityOfUser({
  documentId,
  username,
}: Pick<UserState, 'documentId' | 'username'>): Identity {
  return { kind: 'user', who: username, whoId: documentId };
}

const REFRESH_TOKENS = defineTable('cms_refresh_tokens', {
  hash: 'text',
  session: 'text',
  userDocumentId: 'text',
  stamp: 'text',
  createdAt: 'datetime',
  expiresAt: 'datetime',
  sessionEndsAt: 'datetime',
  usedAt: 'datetime',
});

/** A refresh token about to be stored. */
interface NewRefreshToken {
  readonly session: string;
  readonly userDocumentId: string;
  /** The user's security stamp at the start of the session. */
  readonly stamp: string;
  readonly sessionEndsAt: Date;
}

/** Stores a refresh token by its hash. */
async function insertRefreshToken(
  { settings, now }: AccountContext,
  tx: Transaction,
  newToken: NewRefreshToken,
  token: string,
): Promise<void> {
  const idleEnd = new Date(now() + settings.sessions.idleLifetime * SECOND_MS);
  const expiresAt = idleEnd < newToken.sessionEndsAt ? idleEnd : newToken.sessionEndsAt;
  await tx.table(REFRESH_TOKENS).insert([{ ...newToken, hash: hashCode(token), expiresAt }]);
}

const deleteEndedSessions = ({ now }: AccountContext, tx: Transaction): Promise<unknown> =>
  tx.table(REFRESH_TOKENS).delete({ sessionEndsAt: { below: new Date(now()) } });

const logSignIn = async ({ log }: AccountContext, tx: Transaction, user: UserState): Promise<void> =>
  log?.record(tx, [{ action: 'sign-in' }], { ...log.actors.current(), ...identityOfUser(user) });

const startSession = async (
  context: AccountContext,
  user: UserState,
  securityStamp: string,
): Promise<{ readonly session: string; readonly refreshToken: string }> => {
  const { settings, now, database } = context;
  const session = randomUUID();
  const sessionEndsAt = new Date(now() + settings.sessions.maxLifetime * SECOND_MS);
  const refreshToken = createCode();
  await database.transact(async (tx) => {
    await deleteEndedSessions(context, tx);
    const userDocumentId = user.documentId;
    const newToken = { session, userDocumentId, stamp: securityStamp, sessionEndsAt };
    await insertRefreshToken(context, tx, newToken, refreshToken);
    await logSignIn(context, tx, user);
  });
  return { session, refreshToken };
};

/**
 * Issues a JWT, and starts a session if the project has refresh tokens. Call it once the user's identity is
 * verified.
 *
 * @throws `access/missing-jwt-secret`
 */
export async function signIn(context: AccountContext, user: UserState): Promise<SignInResult> {
  const { settings } = context;
  const secret = requireJwtSecret(context.jwtSecret);
  const securityStamp = securityStampOf(user.passwordHash, secret);
  const record = await readUserRecord(context, user.documentId);
  if (settings.mode === 'plain') {
    if (context.log !== undefined) await context.database.transact((tx) => logSignIn(context, tx, user));
    return {
      jwt: issueJwt({ userId: user.id, securityStamp, session: null }, secret, settings.jwtLifetime),
      refreshToken: null,
      user: record,
    };
  }
  const { session, refreshToken } = await startSession(context, user, securityStamp);
  return {
    jwt: issueJwt({ userId: user.id, securityStamp, session }, secret, settings.sessions.accessLifetime),
    refreshToken,
    user: record,
  };
}

/** Ends a session and invalidates its tokens. */
async function endSession({ database }: Pick<AccountContext, 'database'>, session: string): Promise<void> {
  await database.transact((tx) => tx.table(REFRESH_TOKENS).delete({ session }));
}

/** Ends all sessions of a user. */
export async function endUserSessions(
  { database }: Pick<AccountContext, 'database'>,
  userDocumentId: string,
): Promise<void> {
  await database.transact((tx) => tx.table(REFRESH_TOKENS).delete({ userDocumentId }));
}

/** The owner of the rows of revoked JWTs. It is not a user, so that nothing deletes them early. */
const NO_USER = '';

/**
 * Revokes a JWT without a session until it expires. It is stored like a used refresh token, under a hash that
 * no refresh token has.
 */
const revokeJwt = (context: AccountContext, token: string, expiresAt: Date): Promise<void> =>
  context.database.transact(async (tx) => {
    await deleteEndedSessions(context, tx);
    const hash = revokedJwtHash(token);
    const row = { session: hash, userDocumentId: NO_USER, stamp: '', expiresAt, sessionEndsAt: expiresAt };
    const isRevoked = (await tx.table(REFRESH_TOKENS).count({ hash })) > 0;
    if (!isRevoked)
      await tx.table(REFRESH_TOKENS).insert([{ ...row, hash, usedAt: new Date(context.now()) }]);
  });

/**
 * Signs a user out: the JWT of the request and the refresh token of its session become invalid immediately.
 * Throws `request/unauthorized`.
 *
 * @param authorization the Authorization header of the request
 */
export async function logout(
  context: AccountContext,
  caller: Caller,
  authorization: string | undefined,
): Promise<{ readonly ok: true }> {
  if (caller.kind !== 'user') throw createError('request/unauthorized');
  if (caller.session !== null) {
    await endSession(context, caller.session);
    return { ok: true };
  }
  const token = bearerToken(authorization);
  if (token === null) throw createError('request/unauthorized');
  await revokeJwt(context, token, jwtExpiry(token));
  return { ok: true };
}

/** A used refresh token, and the one that replaces it. */
interface TokenRotation {
  readonly session: string;
  /** The user's security stamp when the session was started. */
  readonly stamp: string;
  readonly userDocumentId: string;
  /** Null if the token was used some time ago, so that it may have been stolen. */
  readonly refreshToken: string | null;
}

/** Period in which a used token still returns its successor, since two tabs may refresh at the same time. */
const GRACE_MS = 10_000;

/**
 * Returns the token that replaces another one. It is derived from that token, so that sending the token again
 * returns the same successor. Only the hash of the successor is stored.
 */
const successorOf = (token: string, secret: string): string =>
  createHmac('sha256', secret).update(`refresh ${token}`).digest('hex');

/**
 * Exchanges a refresh token for the next one of its session. Simultaneous attempts get the same one. Returns
 * null if the token does not exist.
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
    const row = await tx.table(REFRESH_TOKENS).findFirst({ hash });
    const [expiresAt, sessionEndsAt] = [row?.['expiresAt'], row?.['sessionEndsAt']];
    if (row === null || !(expiresAt instanceof Date) || !(sessionEndsAt instanceof Date) || expiresAt <= now)
      return null;
    const next = {
      session: String(row['session']),
      stamp: String(row['stamp']),
      userDocumentId: String(row['userDocumentId']),
      sessionEndsAt,
    };
    const count = await tx.table(REFRESH_TOKENS).update({ hash, usedAt: null }, { usedAt: now });
    if (count === 1) await insertRefreshToken(context, tx, next, successor);
    // If the token was unused when it was read, another request has exchanged it at this moment.
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
 * Exchanges a refresh token for a new JWT and the next refresh token. A token that is used again after
 * {@link
 * GRACE_MS} ends the whole session, since it may have been stolen. A changed password and a blocked
 * account end it, too.
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
