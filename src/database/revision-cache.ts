import { LRUCache } from 'lru-cache';
import { isGalleyError } from '../errors/galley-error.js';
import type { OpenRevisions, Revisions } from './dialect/changes.js';

/** Approximate bytes of an entry besides its key and value. */
const ENTRY_BYTES = 400;
/** The part of the cache that one value may take. */
const LARGEST_SHARE = 8;

interface NewEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** The content-types that the value was read from. */
  readonly types: readonly string[];
  /** The revisions taken before the value was read. */
  readonly revisions: Revisions;
}

/** Keeps values until a content-type changes that they were read from. */
export interface RevisionCache<Value> {
  /** `revisions`: those of now. */
  readonly get: (key: string, revisions: Revisions) => Value | undefined;
  readonly set: (key: string, entry: NewEntry<Value>) => void;
  /** Adds to the bytes of a value. Returns false if the value is not stored, or may not take as many. */
  readonly grow: (key: string, value: Value, bytes: number) => boolean;
  /** Size of all entries. */
  readonly bytes: () => number;
}

interface Entry<Value> extends Pick<NewEntry<Value>, 'value' | 'types' | 'bytes'> {
  /** Those that the value was last found to be current at. */
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

/** Says whether rows of content-types have changed. Opens what it needs when it is first asked. */
export interface RevisionSource {
  /**
   * Returns what {@link OpenRevisions} does. Null also until it is open. Code that caches something must
   * take this before reading: what is committed in between then counts as a change.
   */
  readonly current: () => Revisions | null | Promise<Revisions | null>;
  readonly close: () => Promise<void>;
}

interface RevisionSourceOptions {
  readonly open: () => Promise<OpenRevisions>;
  /** Told once why nothing can be cached. */
  readonly onError: (error: unknown) => void;
}

/** A source of a database that cannot tell. */
export const NO_REVISIONS: RevisionSource = Object.freeze<RevisionSource>({
  current: () => null,
  close: async () => undefined,
});

export function createRevisionSource({ open, onError }: RevisionSourceOptions): RevisionSource {
  let revisions: OpenRevisions | null = null;
  let opening: Promise<void> | null = null;
  let isTold = false;
  let nextTry = 0;
  const giveUp = (error: unknown): void => {
    // What the catalogue knows is a matter of configuration, and stays as it is.
    nextTry = isGalleyError(error) ? Number.POSITIVE_INFINITY : Date.now() + RETRY_MS;
    if (!isTold) onError(error);
    isTold = true;
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
