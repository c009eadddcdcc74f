/** One item of a stored list. */
export interface Placed<T> {
  readonly key: string;
  readonly position: number | null;
  readonly item: T;
}

export interface ListDiff<T> {
  readonly removed: readonly T[];
  readonly added: readonly { readonly key: string; readonly position: number }[];
  readonly moved: readonly { readonly item: T; readonly position: number }[];
  /** Every item that stays or comes, in order, with its place. */
  readonly positions: ReadonlyMap<string, number>;
}

const startsWith = (list: readonly string[], head: readonly string[]): boolean => head.every((key, index) => list[index] === key);

/**
 * What turns a stored list (in its order) into the wanted one with as few rows touched as possible: where the items that stay keep their
 * order and the new ones follow, the places stay as they are; otherwise all are counted from 1.
 */
export function diffList<T>(current: readonly Placed<T>[], wanted: readonly string[]): ListDiff<T> {
  const keys = new Set(wanted);
  const kept = new Map<string, Placed<T>>();
  const removed: T[] = [];
  for (const placed of current) {
    if (keys.has(placed.key) && !kept.has(placed.key)) kept.set(placed.key, placed);
    else removed.push(placed.item);
  }
  const isAppended = startsWith(wanted, [...kept.keys()]);
  const positions = new Map<string, number>();
  let last = 0;
  for (const key of wanted) {
    const stored = isAppended ? kept.get(key)?.position : undefined;
    last = Math.max(last + 1, stored ?? 0);
    positions.set(key, last);
  }
  const entries = [...positions];
  return {
    removed,
    added: entries.filter(([key]) => !kept.has(key)).map(([key, position]) => ({ key, position })),
    moved: entries.flatMap(([key, position]) => {
      const placed = kept.get(key);
      return placed === undefined || placed.position === position ? [] : [{ item: placed.item, position }];
    }),
    positions,
  };
}
