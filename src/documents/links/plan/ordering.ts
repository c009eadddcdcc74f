import { defined } from '../../../lib/defined.js';
import { getOrCreate } from '../../../lib/memoize.js';

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
 * Returns the list after the operation. Duplicates are dropped. A connected item that is in the list already
 * moves, also where it is disconnected, too. Other disconnected items are removed last, so that items can be
 * placed beside them.
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
