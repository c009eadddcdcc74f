import { createError } from '../errors/catalogue.js';
import { NO_GRANTS } from './access.js';
import type { Access, AccessContext, Caller } from './access.js';
import { hashAccessKey, isSameHash } from './tokens/access-key.js';
import { readAccessVersion } from './change-access.js';
import { readAccessOf, authorise } from './authorise.js';
import { securityStampOf, verifyJwt } from './accounts/jwt.js';
import { loadSnapshot } from './snapshot.js';
import type { AccessSnapshot, CachedToken } from './snapshot.js';
import { createUsageRecorder } from './tokens/usage-recorder.js';
import { compileUserReader } from './accounts/user-reader.js';
import type { UserReader } from './accounts/user-reader.js';

export interface AccessOptions {
  readonly context: AccessContext;
  readonly jwtSecret: string | null;
  /** Whether only users with a confirmed address may sign in. */
  readonly requiresConfirmation?: boolean;
  /** Used as long as the database has no default locale. */
  readonly defaultLocale: string;
  /** Milliseconds between two checks for changes; null: only `refresh` checks. */
  readonly pollInterval?: number | null;
  /** Receives errors that no caller waits for: a failed check, a time of use that could not be stored. */
  readonly onError: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 300;
const BEARER = /^bearer(?:\s+(.*))?$/is;

/**
 * Returns the credential of a Bearer header; null without a header, for another scheme and for an empty
 * credential.
 */
const bearerToken = (header: string | undefined): string | null => {
  const bearer = BEARER.exec(header ?? '')?.[1]?.trim();
  return bearer === undefined || bearer === '' ? null : bearer;
};

const findTokenByKey = (
  snapshot: AccessSnapshot,
  credential: string,
  salt: string | null,
): CachedToken | null => {
  if (salt === null) return null;
  const hash = hashAccessKey(credential, salt);
  const token = snapshot.tokensByHash.get(hash);
  return token !== undefined && isSameHash(token.keyHash, hash) ? token : null;
};

interface AuthenticationDependencies {
  readonly users: UserReader;
  readonly jwtSecret: string | null;
  readonly requiresConfirmation: boolean;
}

/**
 * Returns the user whom a JWT signs in. Returns null if the user was deleted or blocked, is unconfirmed, or
 * has changed the password or ended the session since.
 */
const authenticateUser = async (
  snapshot: AccessSnapshot,
  { users, jwtSecret, requiresConfirmation }: AuthenticationDependencies,
  credential: string,
): Promise<Caller | null> => {
  const claims = jwtSecret === null ? null : verifyJwt(credential, jwtSecret);
  if (jwtSecret === null || claims === null) return null;
  const user = await users.byId(claims.userId, claims.session);
  if (user === null || user.blocked || (requiresConfirmation && !user.confirmed)) return null;
  if (claims.session !== null && !user.hasSession) return null;
  if (!isSameHash(claims.securityStamp, securityStampOf(user.passwordHash, jwtSecret))) return null;
  const grants =
    (user.roleDocumentId === null ? undefined : snapshot.grantsByRole.get(user.roleDocumentId)) ?? NO_GRANTS;
  return {
    kind: 'user',
    userId: user.id,
    documentId: user.documentId,
    session: claims.session,
    attributes: user.attributes,
    grants,
  };
};

/**
 * Checks for changes regularly, one check at a time. A check that fails is reported, and the previous state
 * stays.
 */
const startPolling = (
  refresh: () => Promise<void>,
  interval: number,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  let pending: Promise<void> | null = null;
  const poll = async (): Promise<void> => {
    await refresh().catch(onError);
    pending = null;
  };
  const timer = setInterval(() => {
    pending ??= poll();
  }, interval).unref();
  return async () => {
    clearInterval(timer);
    await pending;
  };
};

/**
 * Opens the access service: loads the snapshot and follows the database.
 *
 * @example
 *   const context = { database, model, salt };
 *   const access = await createAccess({ context, jwtSecret, defaultLocale: 'en', onError: log });
 */
export async function createAccess({
  context,
  jwtSecret,
  requiresConfirmation = false,
  defaultLocale,
  pollInterval = POLL_INTERVAL_MS,
  onError,
}: AccessOptions): Promise<Access> {
  const { database, model, salt } = context;
  let snapshot = await loadSnapshot(database, model, defaultLocale);
  const dependencies: AuthenticationDependencies = {
    users: compileUserReader(database, model),
    jwtSecret,
    requiresConfirmation,
  };
  const usage = createUsageRecorder(database, onError);
  const refresh = async (): Promise<void> => {
    if ((await readAccessVersion(database)) !== snapshot.accessVersion)
      snapshot = await loadSnapshot(database, model, defaultLocale);
  };
  const stopPolling =
    pollInterval === null ? async () => undefined : startPolling(refresh, pollInterval, onError);

  const authenticate = async (header: string | undefined): Promise<Caller> => {
    const credential = bearerToken(header);
    if (credential === null) return { kind: 'anonymous', grants: snapshot.publicGrants };
    const token = findTokenByKey(snapshot, credential, salt);
    if (token !== null) {
      if (token.expiresAt !== null && token.expiresAt <= Date.now())
        throw createError('request/unauthorized');
      usage.record(token.record);
      return { kind: 'token', tokenId: token.record.id, grants: token.grants };
    }
    const user = await authenticateUser(snapshot, dependencies, credential);
    if (user === null) throw createError('request/unauthorized');
    return user;
  };

  return Object.freeze({
    authenticate,
    authorise,
    readAccessOf: (caller: Caller) => readAccessOf(model, caller),
    locales: {
      all: () => snapshot.locales,
      defaultCode: () => snapshot.defaultLocale,
      has: (code: string) => snapshot.localeCodes.has(code),
    },
    refresh,
    close: async () => {
      await stopPolling();
      await usage.close();
    },
  });
}
