import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { createError } from '../errors/catalogue.js';
import { MINUTE_MS } from '../lib/units.js';
import { USER_UID } from '../model/content-types/builtin-types.js';
import { isDisabled } from '../model/lookup.js';
import type { Uid } from '../model/model.js';
import { NO_GRANTS } from './access.js';
import type { Access, AccessContext, Caller, TokenRecord } from './access.js';
import {
  bearerToken,
  hashAccessKey,
  isSameHash,
  revokedJwtHash,
  securityStampOf,
  verifyJwt,
} from './credentials.js';
import { compileUserReader } from './accounts/user-reader.js';
import { TOKENS } from './records.js';
import type { UserReader } from './accounts/user-reader.js';
import { authorise, isGranted, readAccessOf } from './permissions/authorise.js';
import { impersonate } from './impersonation.js';
import type { Impersonation } from './impersonation.js';
import { callerOfUser, followSnapshot } from './snapshot.js';
import type { AccessSnapshot, CachedToken, SnapshotFollower } from './snapshot.js';

/*
 * Authenticates and authorises callers. Start with `createAccess` at the end. snapshot loads tokens, roles
 * and locales into memory, permissions/ decides what a caller may do, accounts/ signs users in and out.
 */

export interface AccessOptions {
  readonly context: AccessContext;
  readonly jwtSecret: string | null;
  /** True if only users with a confirmed address may sign in. */
  readonly requiresConfirmation?: () => Promise<boolean>;
  /** True if `find` and `findOne` cover drafts, as in Strapi. Default: `findDrafts` does. */
  readonly findIncludesDrafts?: boolean;
  /** The caller of all requests, if only this process sends them. Credentials are then ignored. */
  readonly impersonates?: Impersonation;
  /** Locale to use as long as the database has no default locale. */
  readonly defaultLocale: string;
  /** Milliseconds between two checks for changes; null if only `refresh` checks. */
  readonly pollInterval?: number | null;
  /** Receives errors of background work: a failed check, or a time of use that could not be stored. */
  readonly onError: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 300;

/** Public grants belong to users-permissions. Without that plugin, only tokens grant access, as in Strapi. */
const createAnonymousCaller =
  (hasUsers: boolean) =>
  ({ publicGrants }: AccessSnapshot): Caller => ({
    kind: 'anonymous',
    grants: hasUsers ? publicGrants : NO_GRANTS,
  });

interface AuthenticationDependencies {
  readonly tokenCaller: TokenCaller;
  readonly users: UserReader;
  readonly jwtSecret: string | null;
  readonly requiresConfirmation: () => Promise<boolean>;
  /** False if the plugin users-permissions is disabled. */
  readonly hasUsers: boolean;
}

/**
 * Returns the user whom a JWT signs in. Returns null if the user was deleted or blocked, is unconfirmed, or
 * has changed the password or ended the session since.
 */
const authenticateUser = async (
  snapshot: AccessSnapshot,
  { users, jwtSecret, requiresConfirmation, hasUsers }: AuthenticationDependencies,
  credential: string,
): Promise<Caller | null> => {
  const claims = jwtSecret === null || !hasUsers ? null : verifyJwt(credential, jwtSecret);
  if (jwtSecret === null || claims === null) return null;
  const { session } = claims;
  const evidence = session === null ? { revokedHash: revokedJwtHash(credential) } : { session };
  const user = await users.byId(claims.userId, evidence);
  if (user === null || user.blocked) return null;
  if (!user.confirmed && (await requiresConfirmation())) return null;
  if (!user.isSignedIn) return null;
  const { securityStamp } = claims;
  if (securityStamp !== null && !isSameHash(securityStamp, securityStampOf(user.passwordHash, jwtSecret)))
    return null;
  return callerOfUser(snapshot, user, session);
};

/** Creates the functions that authenticate callers. */
const createAuthentication = (
  follower: SnapshotFollower,
  dependencies: AuthenticationDependencies,
): Pick<Access, 'authenticate' | 'authenticateFor'> => {
  const { tokenCaller, hasUsers } = dependencies;
  const anonymousCaller = createAnonymousCaller(hasUsers);
  const identify = async (credential: string): Promise<Caller | null> => {
    const snapshot = follower.current();
    const caller = tokenCaller(snapshot, credential);
    return caller === undefined ? authenticateUser(snapshot, dependencies, credential) : caller;
  };

  /**
   * True if refreshing the snapshot changes it. Checked before a rejection, since another process may have
   * just granted the request.
   */
  const hasChanged = async (): Promise<boolean> => {
    const before = follower.current();
    await follower.refresh();
    return follower.current() !== before;
  };

  const authenticate = async (header: string | undefined): Promise<Caller> => {
    const credential = bearerToken(header);
    if (credential === null) return anonymousCaller(follower.current());
    const caller = (await identify(credential)) ?? ((await hasChanged()) ? await identify(credential) : null);
    if (caller === null) throw createError('request/unauthorized');
    return caller;
  };

  const authenticateFor = async (header: string | undefined, uid: Uid, action: string): Promise<Caller> => {
    const caller = await authenticate(header);
    if (isGranted(caller.grants, uid, action)) return caller;
    const latest = (await hasChanged()) ? await authenticate(header) : caller;
    authorise(latest, uid, action);
    return latest;
  };

  return { authenticate, authenticateFor };
};

const MAX_KEYS = 1000;

type FindToken = (snapshot: AccessSnapshot, key: string) => CachedToken | undefined;

/**
 * Creates a function that finds the token of an access key. Hashing a key takes longer than reading a
 * document, so the hashes of known keys are cached. Their tokens are looked up in the snapshot, so that
 * deleted ones are rejected.
 */
const createTokenFinder = (salt: string | null): FindToken => {
  const hashes = new LRUCache<string, string>({ max: MAX_KEYS });
  return ({ tokensByHash }, key) => {
    if (salt === null) return undefined;
    const known = hashes.get(key);
    if (known !== undefined) return tokensByHash.get(known);
    const hash = hashAccessKey(key, salt);
    const token = tokensByHash.get(hash);
    if (token === undefined || !isSameHash(token.keyHash, hash)) return undefined;
    hashes.set(key, hash);
    return token;
  };
};

/** Returns the caller with an access key; undefined for other credentials, null for an expired token. */
type TokenCaller = (snapshot: AccessSnapshot, credential: string) => Caller | null | undefined;

function createTokenCaller(salt: string | null, usage: Pick<UsageRecorder, 'record'>): TokenCaller {
  const findToken = createTokenFinder(salt);
  return (snapshot, credential) => {
    const token = findToken(snapshot, credential);
    if (token === undefined) return undefined;
    const { record, grants, expiresAt } = token;
    if (expiresAt !== null && expiresAt <= Date.now()) return null;
    usage.record(record);
    return { kind: 'token', tokenId: record.id, grants };
  };
}

const WRITE_DELAY_MS = 1000;

interface UsageRecorder {
  /** Records a use of a token. It is stored later. */
  readonly record: (token: TokenRecord) => void;
  /** Stores pending uses. */
  readonly close: () => Promise<void>;
}

/**
 * Stores the time at which tokens were last used, to the minute, with at most one write per token and minute,
 * after the response. A failed write is reported and dropped; the next use writes again.
 */
export function createUsageRecorder(database: Database, onError: (error: unknown) => void): UsageRecorder {
  const lastRecordedAt = new Map<number, number>();
  const pending = new Map<number, { readonly token: TokenRecord; readonly usedAt: number }>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = [...pending.values()];
    pending.clear();
    if (batch.length === 0) return;
    await database
      .transact(async (tx) => {
        for (const { token, usedAt } of batch) {
          // Using a token does not change it, so `updatedAt` stays.
          const data = { lastUsedAt: new Date(usedAt).toISOString(), updatedAt: token.updatedAt };
          await tx.table(TOKENS).update({ id: token.id }, data);
        }
      })
      .catch(onError);
  };

  /** Also waits for a write in progress, so that the database is not closed during it. */
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };

  return {
    record: (token) => {
      const now = Date.now();
      if (now - (lastRecordedAt.get(token.id) ?? 0) < MINUTE_MS) return;
      lastRecordedAt.set(token.id, now);
      pending.set(token.id, { token, usedAt: now });
      timer ??= setTimeout(() => void flush(), WRITE_DELAY_MS).unref();
    },
    close: flush,
  };
}

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
  requiresConfirmation = async () => false,
  findIncludesDrafts = false,
  impersonates,
  defaultLocale,
  pollInterval = POLL_INTERVAL_MS,
  onError,
}: AccessOptions): Promise<Access> {
  const { database, model, salt } = context;
  const follower = await followSnapshot({ database, model, defaultLocale, pollInterval, onError });
  const usage = createUsageRecorder(database, onError);
  const users = compileUserReader(database, model);
  const hasUsers = !isDisabled(model, USER_UID);
  const authentication =
    impersonates === undefined
      ? createAuthentication(follower, {
          tokenCaller: createTokenCaller(salt, usage),
          users,
          jwtSecret,
          requiresConfirmation,
          hasUsers,
        })
      : await impersonate(impersonates, {
          context,
          snapshot: follower.current,
          anonymous: () => createAnonymousCaller(hasUsers)(follower.current()),
          users,
          requiresConfirmation,
        });
  return Object.freeze({
    ...authentication,
    authorise,
    tokenOf: (caller: Caller) => {
      if (caller.kind !== 'token') return null;
      const tokens = [...follower.current().tokensByHash.values()];
      return tokens.find(({ record }) => record.id === caller.tokenId)?.record ?? null;
    },
    readAccessOf: (caller: Caller) => readAccessOf(model, caller, { findIncludesDrafts }),
    locales: {
      all: () => follower.current().locales,
      defaultCode: () => follower.current().defaultLocale,
      has: (code: string) => follower.current().localeCodes.has(code),
    },
    refresh: follower.refresh,
    close: async () => {
      await follower.close();
      await usage.close();
    },
  });
}
