/** A map that forgets what was not asked for longest, once it is full. */
export interface LruCache<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  readonly size: () => number;
}

/**
 * A map of at most `capacity` entries. Reading an entry makes it the last to be forgotten.
 *
 * @example const statements = createLruCache<string, Statement>(500);
 */
export function createLruCache<Key, Value>(capacity: number): LruCache<Key, Value> {
  // A map keeps the order of insertion, so its first key is the one untouched longest. The newest entry needs no moving.
  const entries = new Map<Key, Value>();
  let newest: Key | undefined;
  const put = (key: Key, value: Value): void => {
    entries.delete(key);
    entries.set(key, value);
    newest = key;
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined && key !== newest) put(key, value);
      return value;
    },
    set: (key, value) => {
      put(key, value);
      if (entries.size <= capacity) return;
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    },
    size: () => entries.size,
  };
}
