import { fail } from '../errors/catalogue.js';
import { NO_GRANTS } from './access.js';
import type { Access, AccessContext, Caller } from './access.js';
import { hashAccessKey, isSameHash } from './access-key.js';
import { readStamp } from './change.js';
import { accessOf, authorise } from './decide.js';
import { passwordStamp, verifyJwt } from './jwt.js';
import { loadSnapshot } from './snapshot.js';
import type { AccessSnapshot, KnownToken } from './snapshot.js';
import { createUsageRecorder } from './usage-recorder.js';
import { compileUserReader } from './user-reader.js';
import type { UserReader } from './user-reader.js';

export interface AccessOptions {
  readonly context: AccessContext;
  readonly jwtSecret: string | null;
  /** Whether only users whose address is confirmed are let in. */
  readonly requiresConfirmation?: boolean;
  /** Stands in as long as the database has no default locale. */
  readonly defaultLocale: string;
  /** Milliseconds between two looks at whether something has changed; null: only `refresh` looks. */
  readonly pollInterval?: number | null;
  /** Told of faults nobody waits for: a look that failed, a time of use that could not be written. */
  readonly onError: (error: unknown) => void;
}

const POLL_INTERVAL = 300;
const BEARER = /^bearer(?:\s+(.*))?$/is;

/** The credential of a Bearer header; null for no header, another scheme and an empty credential. */
const bearerOf = (header: string | undefined): string | null => {
  const credential = BEARER.exec(header ?? '')?.[1]?.trim();
  return credential === undefined || credential === '' ? null : credential;
};

const findToken = (snapshot: AccessSnapshot, credential: string, salt: string | null): KnownToken | null => {
  if (salt === null) return null;
  const hash = hashAccessKey(credential, salt);
  const token = snapshot.tokensByHash.get(hash);
  return token !== undefined && isSameHash(token.keyHash, hash) ? token : null;
};

interface Entrance {
  readonly users: UserReader;
  readonly jwtSecret: string | null;
  readonly requiresConfirmation: boolean;
}

/** The user a JWT signs in: none where its password was changed or its session ended since, or who is blocked, unconfirmed or gone. */
const findUser = async (snapshot: AccessSnapshot, { users, jwtSecret, requiresConfirmation }: Entrance, credential: string): Promise<Caller | null> => {
  const claims = jwtSecret === null ? null : verifyJwt(credential, jwtSecret);
  if (jwtSecret === null || claims === null) return null;
  const user = await users.byId(claims.userId, claims.session);
  if (user === null || user.blocked || (requiresConfirmation && !user.confirmed)) return null;
  if (claims.session !== null && !user.hasSession) return null;
  if (!isSameHash(claims.stamp, passwordStamp(user.passwordHash, jwtSecret))) return null;
  const grants = snapshot.roles.get(user.roleDocumentId ?? '') ?? NO_GRANTS;
  return { kind: 'user', userId: user.id, documentId: user.documentId, session: claims.session, attributes: user.attributes, grants };
};

/** Looks for changes now and then, one look at a time; a look that fails is reported and the old state stays. */
const startPolling = (refresh: () => Promise<void>, interval: number, onError: (error: unknown) => void): (() => Promise<void>) => {
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    await refresh().catch(onError);
    looking = null;
  };
  const timer = setInterval(() => {
    looking ??= look();
  }, interval).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
};

/**
 * Opens the room's service: loads the snapshot and follows the database.
 *
 * @example const access = await createAccess({ context: { database, model, salt }, jwtSecret, defaultLocale: 'en', onError: log });
 */
export async function createAccess({ context, jwtSecret, requiresConfirmation = false, defaultLocale, pollInterval = POLL_INTERVAL, onError }: AccessOptions): Promise<Access> {
  const { database, model, salt } = context;
  let snapshot = await loadSnapshot(database, model, defaultLocale);
  const entrance: Entrance = { users: compileUserReader(database, model), jwtSecret, requiresConfirmation };
  const usage = createUsageRecorder(database, onError);
  const refresh = async (): Promise<void> => {
    if ((await readStamp(database)) !== snapshot.stamp) snapshot = await loadSnapshot(database, model, defaultLocale);
  };
  const stopPolling = pollInterval === null ? async () => undefined : startPolling(refresh, pollInterval, onError);

  const authenticate = async (header: string | undefined): Promise<Caller> => {
    const credential = bearerOf(header);
    if (credential === null) return { kind: 'anonymous', grants: snapshot.publicGrants };
    const token = findToken(snapshot, credential, salt);
    if (token !== null) {
      if (token.expiresAt !== null && token.expiresAt <= Date.now()) throw fail('request/unauthorized');
      usage.record(token.record);
      return { kind: 'token', tokenId: token.record.id, grants: token.grants };
    }
    const user = await findUser(snapshot, entrance, credential);
    if (user === null) throw fail('request/unauthorized');
    return user;
  };

  return Object.freeze({
    authenticate,
    authorise,
    accessOf: (caller: Caller) => accessOf(model, caller),
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
