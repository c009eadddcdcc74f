/** One item of a stored list. */
export interface PositionedItem {
  readonly key: string;
  readonly position: number | null;
}

interface Positioned {
  readonly key: string;
  readonly position: number;
}

/** Lists with smaller gaps are spaced again, long before numbers between two positions run out. */
const MIN_GAP = 2 ** -20;

/** Returns the first index for which a condition holds that then holds for all after it, or the length. */
const findIndex = (length: number, isFound: (index: number) => boolean): number => {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isFound(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Returns the longest part of a list whose positions ascend. */
const longestAscending = (items: readonly Positioned[]): ReadonlyMap<string, number> => {
  interface Part {
    readonly last: Positioned;
    readonly before: Part | undefined;
  }
  /** The part of each length with the smallest last position. */
  const parts: Part[] = [];
  for (const last of items) {
    const index = findIndex(parts.length, (each) => (parts[each]?.last.position ?? 0) >= last.position);
    parts[index] = { last, before: parts[index - 1] };
  }
  const longest = new Map<string, number>();
  for (let part = parts.at(-1); part !== undefined; part = part.before)
    longest.set(part.last.key, part.last.position);
  return longest;
};

/** Drops movable items that are not between the fixed ones around them. */
const dropMisplaced = (
  items: readonly Positioned[],
  isMovable: (key: string) => boolean,
): readonly Positioned[] => {
  let previous = -Infinity;
  const isAfterFixed = items.map(({ key, position }) => {
    if (!isMovable(key)) previous = position;
    return position >= previous;
  });
  let next = Infinity;
  const isBeforeFixed = items.toReversed().map(({ key, position }) => {
    if (!isMovable(key)) next = position;
    return position <= next;
  });
  return items.filter((_item, index) => isAfterFixed[index] && isBeforeFixed[items.length - 1 - index]);
};

/** Items in a row that need positions, and the position they come after. */
interface Run {
  readonly left: number | null;
  readonly keys: string[];
}

const findRuns = (desired: readonly string[], kept: ReadonlyMap<string, number>): readonly Run[] => {
  const runs: Run[] = [{ left: null, keys: [] }];
  for (const key of desired) {
    const position = kept.get(key);
    if (position === undefined) runs.at(-1)?.keys.push(key);
    else runs.push({ left: position, keys: [] });
  }
  return runs.filter(({ keys }) => keys.length > 0);
};

/** Returns the position of the first item of a run, and the distance of each from the one before it. */
const spaceRun = (
  { left, keys: { length } }: Run,
  used: readonly number[],
): { readonly first: number; readonly step: number } => {
  const next = used[left === null ? 0 : findIndex(used.length, (index) => (used[index] ?? 0) > left)];
  if (left === null) return { first: next === undefined ? 1 : next - length, step: 1 };
  const step = next === undefined ? 1 : (next - left) / (length + 1);
  return { first: left + step, step };
};

export interface ArrangedList {
  /** The positions of the desired items. */
  readonly positions: ReadonlyMap<string, number>;
  /** True if positions are so close to one another that the list has to be spaced again. */
  readonly isCrowded: boolean;
}

/**
 * Finds positions for the items of a desired list. As many as possible keep theirs; the others get positions
 * in the gaps between.
 *
 * @param current the stored list in its order
 * @param others positions in other versions of the list, which no item gets
 * @param isMovable whether an item may get another position
 */
export function arrangeList(
  current: readonly PositionedItem[],
  desired: readonly string[],
  others: readonly number[] = [],
  isMovable: (key: string) => boolean = () => true,
): ArrangedList {
  const stored = new Map<string, number>();
  for (const { key, position } of current) if (position !== null) stored.set(key, position);
  const known = desired.flatMap((key) => {
    const position = stored.get(key);
    return position === undefined ? [] : [{ key, position }];
  });
  const positions = new Map(longestAscending(dropMisplaced(known, isMovable)));
  const runs = findRuns(desired, positions);
  if (runs.length === 0) return { positions, isCrowded: false };
  const used = [...stored.values(), ...others].toSorted((one, other) => one - other);
  const spaced = runs.map((run) => ({ run, ...spaceRun(run, used) }));
  for (const { run, first, step } of spaced)
    for (const [index, key] of run.keys.entries()) positions.set(key, first + index * step);
  return { positions, isCrowded: spaced.some(({ step }) => step < MIN_GAP) };
}
