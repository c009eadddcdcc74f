/** Cuts a list into lists of at most `size` items. */
export function chunksOf<T>(items: Iterable<T>, size: number): readonly (readonly T[])[] {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Returns the nearest index in a list of a length, or 0 if the list is empty. */
export function clampIndex(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

/** Anything that stores values by key: a `Map`, or a `WeakMap` where the keys are objects. */
interface KeyedStore<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => unknown;
}

/**
 * Returns the value stored under a key. Creates and stores it first if there is none.
 *
 * @example
 *   const ids = getOrCreate(idsByType, type.uid, () => new Set<string>());
 */
export function getOrCreate<Key, Value>(store: KeyedStore<Key, Value>, key: Key, create: () => Value): Value {
  const stored = store.get(key);
  if (stored !== undefined) return stored;
  const value = create();
  store.set(key, value);
  return value;
}

/** Groups items by a key. Groups and their items keep the order of the items. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) getOrCreate(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** Returns a function that computes the value of each key once and then returns the stored value. */
export function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => getOrCreate(values, key, () => compute(key));
}

/** Like {@link memoize} for promises. A value whose promise is rejected is computed again. */
export function memoizeAsync<Key, Value>(
  compute: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const values = new Map<Key, Promise<Value>>();
  return (key) =>
    getOrCreate(values, key, () => {
      const value = compute(key);
      value.catch(() => values.delete(key));
      return value;
    });
}

/** Like {@link memoize} for object keys. A value is released with its key. */
export function memoizeWeakly<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => getOrCreate(values, key, () => compute(key));
}
