import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/database.js';
import { issueJwt, passwordStamp, requireJwtSecret } from '../jwt.js';
import type { UserState } from '../user-reader.js';
import { createCode, hashCode } from './codes.js';
import type { PeopleContext, SignedIn } from './people.js';
import { readUserRecord } from './user-record.js';

const SECOND = 1000;

/** A session's next refresh token. */
export interface NextToken {
  readonly session: string;
  readonly userDocumentId: string;
  readonly stamp: string;
  readonly sessionEndsAt: Date;
}

/** Issues a refresh token and returns it; its hash is what is stored. */
export async function insertRefreshToken({ settings, now }: PeopleContext, tx: Transaction, next: NextToken): Promise<string> {
  const token = createCode();
  const idleEnd = new Date(now() + settings.sessions.idleLifetime * SECOND);
  const expiresAt = idleEnd < next.sessionEndsAt ? idleEnd : next.sessionEndsAt;
  await tx.model('RefreshToken').create({ data: { ...next, hash: hashCode(token), expiresAt } });
  return token;
}

const startSession = async (context: PeopleContext, user: UserState, stamp: string): Promise<{ readonly session: string; readonly refreshToken: string }> => {
  const { settings, now, database } = context;
  const session = randomUUID();
  const sessionEndsAt = new Date(now() + settings.sessions.maxLifetime * SECOND);
  const refreshToken = await database.transact(async (tx) => {
    await tx.model('RefreshToken').deleteMany({ where: { sessionEndsAt: { lt: new Date(now()) } } });
    return insertRefreshToken(context, tx, { session, userDocumentId: user.documentId, stamp, sessionEndsAt });
  });
  return { session, refreshToken };
};

/** Signs a user in whose identity is proven. */
export async function signIn(context: PeopleContext, user: UserState): Promise<SignedIn> {
  const { settings } = context;
  const secret = requireJwtSecret(context.jwtSecret);
  const stamp = passwordStamp(user.passwordHash, secret);
  const record = await readUserRecord(context, user.documentId);
  if (settings.mode === 'plain') return { jwt: issueJwt({ userId: user.id, stamp, session: null }, secret, settings.jwtLifetime), refreshToken: null, user: record };
  const { session, refreshToken } = await startSession(context, user, stamp);
  return { jwt: issueJwt({ userId: user.id, stamp, session }, secret, settings.sessions.accessLifetime), refreshToken, user: record };
}

/** Ends a session: none of its tokens works any more. */
export async function endSession({ database }: Pick<PeopleContext, 'database'>, session: string): Promise<void> {
  await database.transact((tx) => tx.model('RefreshToken').deleteMany({ where: { session } }));
}

/** Ends all sessions of a user. */
export async function endSessionsOf({ database }: Pick<PeopleContext, 'database'>, userDocumentId: string): Promise<void> {
  await database.transact((tx) => tx.model('RefreshToken').deleteMany({ where: { userDocumentId } }));
}
