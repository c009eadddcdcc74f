/** One item of a stored list. */
export interface PositionedItem<T> {
  readonly key: string;
  readonly position: number | null;
  readonly item: T;
}

export interface ListDiff<T> {
  readonly removed: readonly T[];
  readonly added: readonly { readonly key: string; readonly position: number }[];
  readonly moved: readonly { readonly item: T; readonly position: number }[];
  /** All items of the desired list in order, with their positions. */
  readonly positions: ReadonlyMap<string, number>;
}

const startsWith = (list: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((key, index) => list[index] === key);

/** Whether a stored list is the desired one already, with positions that `diffList` would keep. */
export function isSameList<T>(current: readonly PositionedItem<T>[], desired: readonly string[]): boolean {
  let lastPosition = 0;
  return (
    current.length === desired.length &&
    current.every(({ key, position }, index) => {
      const isKept = key === desired[index] && position !== null && position > lastPosition;
      lastPosition = position ?? lastPosition;
      return isKept;
    })
  );
}

/**
 * Returns the changes that turn a stored list into the desired one. If items are only removed or appended,
 * the remaining items keep their positions. Otherwise all positions are counted from 1.
 *
 * @param current the stored list in its order
 */
export function diffList<T>(current: readonly PositionedItem<T>[], desired: readonly string[]): ListDiff<T> {
  const keys = new Set(desired);
  const kept = new Map<string, PositionedItem<T>>();
  const removed: T[] = [];
  for (const positioned of current) {
    if (keys.has(positioned.key) && !kept.has(positioned.key)) kept.set(positioned.key, positioned);
    else removed.push(positioned.item);
  }
  const isAppended = startsWith(desired, [...kept.keys()]);
  const positions = new Map<string, number>();
  let lastPosition = 0;
  for (const key of desired) {
    const stored = isAppended ? kept.get(key)?.position : undefined;
    lastPosition = Math.max(lastPosition + 1, stored ?? 0);
    positions.set(key, lastPosition);
  }
  const entries = [...positions];
  return {
    removed,
    added: entries.filter(([key]) => !kept.has(key)).map(([key, position]) => ({ key, position })),
    moved: entries.flatMap(([key, position]) => {
      const positioned = kept.get(key);
      return positioned === undefined || positioned.position === position
        ? []
        : [{ item: positioned.item, position }];
    }),
    positions,
  };
}
