import { defined } from '../../lib/assert.js';
import { getOrCreate } from '../../lib/collections.js';

/**
 * Position of a connected item. `reference` is the key of another item of the list, or null if it names an
 * item that does not exist.
 */
export type ListPosition =
  | { readonly at: 'start' }
  /** `isDefault`: the client specified no position. */
  | { readonly at: 'end'; readonly isDefault?: true }
  | { readonly at: 'before' | 'after'; readonly reference: string | null };

/** A change to an ordered list of keys. */
export type ListOperation =
  | { readonly kind: 'set'; readonly targets: readonly string[] }
  | {
      readonly kind: 'change';
      readonly connect: readonly Placement[];
      readonly disconnect: readonly string[];
    };

/** An item to connect, and its position. */
export type Placement = { readonly key: string; readonly position: ListPosition };

interface Node {
  readonly key: string;
  previous: Node;
  next: Node;
}

const createSentinel = (): Node => {
  const sentinel = { key: '' } as Node;
  sentinel.previous = sentinel;
  sentinel.next = sentinel;
  return sentinel;
};

/** A linked list with an index of its items. Placing an item takes constant time. */
class OrderedKeys {
  readonly #sentinel = createSentinel();
  readonly #nodes = new Map<string, Node>();

  has(key: string | null): boolean {
    return key !== null && this.#nodes.has(key);
  }

  remove(key: string): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    node.previous.next = node.next;
    node.next.previous = node.previous;
    this.#nodes.delete(key);
  }

  place(key: string, position: ListPosition): void {
    this.remove(key);
    const previous = this.#nodeBefore(position);
    const node: Node = { key, previous, next: previous.next };
    previous.next.previous = node;
    previous.next = node;
    this.#nodes.set(key, node);
  }

  keys(): readonly string[] {
    const keys: string[] = [];
    for (let node = this.#sentinel.next; node !== this.#sentinel; node = node.next) keys.push(node.key);
    return keys;
  }

  #nodeBefore(position: ListPosition): Node {
    if (!('reference' in position)) return position.at === 'start' ? this.#sentinel : this.#sentinel.previous;
    const key = defined(position.reference, 'The reference of a position');
    const reference = defined(this.#nodes.get(key), `The item ${key} of a position`);
    return position.at === 'after' ? reference : reference.previous;
  }
}

const END: ListPosition = { at: 'end' };

const canPlace = (list: OrderedKeys, { key, position }: Placement): boolean =>
  !('reference' in position) || (position.reference !== key && list.has(position.reference));

/**
 * Places items one after the other. An item whose reference is connected later in the same request is placed
 * after that.
 */
const placeAll = (
  list: OrderedKeys,
  placements: readonly Placement[],
  onMissing: (reference: string | null) => void,
): void => {
  const pending = new Map<string | null, Placement[]>();
  for (const first of placements) {
    const ready = [first];
    for (let placement = ready.pop(); placement !== undefined; placement = ready.pop()) {
      const { key, position } = placement;
      if (canPlace(list, placement)) {
        list.place(key, position);
        ready.push(...(pending.get(key) ?? []).reverse());
        pending.delete(key);
      } else if ('reference' in position) {
        getOrCreate(pending, position.reference, () => []).push(placement);
      }
    }
  }
  for (const [reference, unplaced] of pending) {
    onMissing(reference);
    for (const { key } of unplaced) list.place(key, END);
  }
};

/**
 * Returns the list after the operation. Duplicates are dropped. A connected item that is already in the list
 * moves, even if it is also disconnected. Other disconnected items are removed last, so that items can be
 * placed next to them.
 *
 * @example
 *   const connect = [{ key: 'c', position: { at: 'start' } }] as const;
 *   applyListOperation(['a', 'b'], { kind: 'change', connect, disconnect: ['b'] }, fail); // ['c', 'a']
 *
 * @param onMissing called for each reference that is not in the list. If it returns, the item goes to the
 *   end.
 */
export function applyListOperation(
  current: readonly string[],
  operation: ListOperation,
  onMissing: (reference: string | null) => void,
): readonly string[] {
  if (operation.kind === 'set') return [...new Set(operation.targets)];
  const list = new OrderedKeys();
  for (const key of current) list.place(key, END);
  placeAll(list, operation.connect, onMissing);
  const connected = new Set(operation.connect.map(({ key }) => key));
  for (const key of operation.disconnect) if (!connected.has(key)) list.remove(key);
  return list.keys();
}

/** Like {@link applyListOperation} for an attribute with one link (per locale). Connecting replaces it. */
export function applyToOne(current: readonly string[], operation: ListOperation): readonly string[] {
  if (operation.kind === 'set') return [...new Set(operation.targets)];
  const connectedKeys = operation.connect.slice(-1).map(({ key }) => key);
  return connectedKeys.length > 0
    ? connectedKeys
    : current.filter((key) => !operation.disconnect.includes(key));
}

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

/** Returns the first index that meets a condition that all later ones meet, too, or the length. */
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

/** Consecutive items that need positions, and the position before them. */
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
  /** True if positions are so close that the list must be spaced again. */
  readonly isCrowded: boolean;
}

/**
 * Finds positions for the items of a desired list. As many as possible keep their positions. The others get
 * positions in the gaps.
 *
 * @param current the stored list in its order
 * @param others positions in other versions of the list, which are not used again
 * @param isMovable true if an item may get another position
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
