import { LRUCache } from 'lru-cache';
import type { Revisions } from '../dialects/revisions.js';

/** What an entry takes besides its key and value: roughly, the objects around them. */
const ENTRY_BYTES = 400;
/** The part of the memory that one value may take. */
const LARGEST_SHARE = 8;

interface NewEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** The content-types that the value was read from. */
  readonly types: readonly string[];
  /** The revisions taken before the value was read. */
  readonly revisions: Revisions;
}

/** Remembers what was read until a type that it was read from has changed. */
export interface Memory<Value> {
  /** `revisions`: those of now. */
  readonly get: (key: string, revisions: Revisions) => Value | undefined;
  readonly set: (key: string, entry: NewEntry<Value>) => void;
  /** How many bytes it takes. */
  readonly bytes: () => number;
}

interface Entry<Value> extends Pick<NewEntry<Value>, 'value' | 'types' | 'bytes'> {
  /** Those that the value was last found to be current at. */
  revisions: Revisions;
}

/** Whether none of the types has changed. A type without a revision may have. */
const isUnchanged = (types: readonly string[], before: Revisions, now: Revisions): boolean =>
  types.every((type) => {
    const revision = now.get(type);
    return revision !== undefined && revision === before.get(type);
  });

/** Creates a memory of at most so many bytes, which forgets what was not asked for longest. */
export function createMemory<Value extends {}>(maxBytes: number): Memory<Value> {
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / LARGEST_SHARE),
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
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
    bytes: () => entries.calculatedSize,
  };
}
