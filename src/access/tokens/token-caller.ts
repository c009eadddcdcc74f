import { LRUCache } from 'lru-cache';
import type { Caller } from '../access.js';
import type { AccessSnapshot, CachedToken } from '../snapshot.js';
import { hashAccessKey, isSameHash } from './access-key.js';
import type { UsageRecorder } from './usage-recorder.js';

const MAX_KEYS = 1000;

type FindToken = (snapshot: AccessSnapshot, key: string) => CachedToken | undefined;

/**
 * Creates a function that finds the token of an access key. Hashing a key takes longer than reading a
 * document, so the hashes of known keys are kept. Their tokens are looked up in the snapshot, so that deleted
 * ones are rejected.
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
export type TokenCaller = (snapshot: AccessSnapshot, credential: string) => Caller | null | undefined;

export function createTokenCaller(salt: string | null, usage: Pick<UsageRecorder, 'record'>): TokenCaller {
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
