import { LRUCache } from 'lru-cache';
import { isGalleyError } from '../errors/galley-error.js';
import type { OpenRevisions, Revisions } from './dialect/dialect.js';

/** Approximate bytes of an entry besides its key and value. */
const ENTRY_BYTES = 400;
/** One value may use at most this fraction of the cache: 1/8. */
const LARGEST_SHARE = 8;

interface NewEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** The content-types that the value was read from. */
  readonly types: readonly string[];
  /** The revisions taken before the value was read. */
  readonly revisions: Revisions;
}

/** A cache of values. An entry expires when one of the content-types changes that it was read from. */
export interface RevisionCache<Value> {
  /** `revisions`: the current ones. */
  readonly get: (key: string, revisions: Revisions) => Value | undefined;
  readonly set: (key: string, entry: NewEntry<Value>) => void;
  /** Adds to the bytes of a value. Returns false if the value is not stored, or would be too large. */
  readonly grow: (key: string, value: Value, bytes: number) => boolean;
  /** Size of all entries. */
  readonly bytes: () => number;
}

interface Entry<Value> extends Pick<NewEntry<Value>, 'value' | 'types' | 'bytes'> {
  /** The latest revisions at which the value was current. */
  revisions: Revisions;
}

/** True if none of the types has changed. A type without a revision may have. */
const isUnchanged = (types: readonly string[], before: Revisions, now: Revisions): boolean =>
  types.every((type) => {
    const revision = now.get(type);
    return revision !== undefined && revision === before.get(type);
  });

/** Creates a cache of at most `maxBytes`, which evicts the least recently used entry first. */
export function createRevisionCache<Value extends {}>(maxBytes: number): RevisionCache<Value> {
  const maxEntrySize = Math.ceil(maxBytes / LARGEST_SHARE);
  const sizeOf = ({ bytes }: Pick<Entry<Value>, 'bytes'>, key: string): number =>
    bytes + 2 * key.length + ENTRY_BYTES;
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxBytes,
    maxEntrySize,
    sizeCalculation: sizeOf,
  });
  return {
    get: (key, revisions) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.revisions === revisions) return entry.value;
      if (!isUnchanged(entry.types, entry.revisions, revisions)) {
        entries.delete(key);
        return undefined;
      }
      entry.revisions = revisions;
      return entry.value;
    },
    set: (key, entry) => void entries.set(key, { ...entry }),
    grow: (key, value, bytes) => {
      const entry = entries.peek(key);
      if (entry?.value !== value) return false;
      const grown = { ...entry, bytes: entry.bytes + bytes };
      if (sizeOf(grown, key) > maxEntrySize) return false;
      entries.set(key, grown);
      return true;
    },
    bytes: () => entries.calculatedSize,
  };
}

/** Wait before retrying after the revisions could not be opened. */
const RETRY_MS = 10_000;

/** Source of the revisions of content-types. Opens its connection at the first call. */
export interface RevisionSource {
  /**
   * Returns the revisions of {@link OpenRevisions}, or null until it is open. Code that caches a value must
   * call this before it reads: a commit in between then counts as a change.
   */
  readonly current: () => Revisions | null | Promise<Revisions | null>;
  readonly close: () => Promise<void>;
}

interface RevisionSourceOptions {
  readonly open: () => Promise<OpenRevisions>;
  /** Called once with the reason if nothing can be cached. */
  readonly onError: (error: unknown) => void;
}

/** The source for databases without revisions. */
export const NO_REVISIONS: RevisionSource = Object.freeze<RevisionSource>({
  current: () => null,
  close: async () => undefined,
});

export function createRevisionSource({ open, onError }: RevisionSourceOptions): RevisionSource {
  let revisions: OpenRevisions | null = null;
  let opening: Promise<void> | null = null;
  let isReported = false;
  let nextTry = 0;
  const giveUp = (error: unknown): void => {
    // Errors of the catalogue come from the configuration, so a retry would fail again.
    nextTry = isGalleyError(error) ? Number.POSITIVE_INFINITY : Date.now() + RETRY_MS;
    if (!isReported) onError(error);
    isReported = true;
  };
  const openNow = async (): Promise<void> => {
    try {
      revisions = await open();
    } catch (error) {
      giveUp(error);
    } finally {
      opening = null;
    }
  };
  return {
    current: () => {
      if (revisions === null) {
        if (opening === null && Date.now() >= nextTry) opening = openNow();
        return null;
      }
      try {
        return revisions.current();
      } catch (error) {
        giveUp(error);
        return null;
      }
    },
    close: async () => {
      nextTry = Number.POSITIVE_INFINITY;
      await opening;
      await revisions?.close();
    },
  };
}
