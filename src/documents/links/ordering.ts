/** Where a connected item goes; `reference` is the key of another item of the list. */
export type ListPosition =
  | { readonly at: 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly reference: string };

/** A change of an ordered list of keys. */
export type ListOperation =
  | { readonly kind: 'set'; readonly targets: readonly string[] }
  | {
      readonly kind: 'change';
      readonly connect: readonly { readonly key: string; readonly position: ListPosition }[];
      readonly disconnect: readonly string[];
    };

interface Node {
  readonly key: string;
  previous: Node;
  next: Node;
}

const createRing = (): Node => {
  const ring = { key: '' } as Node;
  ring.previous = ring;
  ring.next = ring;
  return ring;
};

/** A linked list with a way to each of its items, so that placing one costs the same in a long list as in a short one. */
class OrderedKeys {
  readonly #ring = createRing();
  readonly #nodes = new Map<string, Node>();

  has(key: string): boolean {
    return this.#nodes.has(key);
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
    const previous = this.#before(position);
    const node: Node = { key, previous, next: previous.next };
    previous.next.previous = node;
    previous.next = node;
    this.#nodes.set(key, node);
  }

  keys(): readonly string[] {
    const keys: string[] = [];
    for (let node = this.#ring.next; node !== this.#ring; node = node.next) keys.push(node.key);
    return keys;
  }

  #before(position: ListPosition): Node {
    if (!('reference' in position)) return position.at === 'start' ? this.#ring : this.#ring.previous;
    const reference = this.#nodes.get(position.reference) ?? this.#ring;
    return position.at === 'after' ? reference : reference.previous;
  }
}

const END: ListPosition = { at: 'end' };

type Placement = { readonly key: string; readonly position: ListPosition };

const canPlace = (list: OrderedKeys, { key, position }: Placement): boolean =>
  !('reference' in position) || (position.reference !== key && list.has(position.reference));

/** Places items one after the other; one whose reference is connected later in the same request waits for it. */
const placeAll = (list: OrderedKeys, placements: readonly Placement[], onMissing: (reference: string) => void): void => {
  const waiting = new Map<string, Placement[]>();
  for (const first of placements) {
    const ready = [first];
    for (let placement = ready.pop(); placement !== undefined; placement = ready.pop()) {
      const { key, position } = placement;
      if (canPlace(list, placement)) {
        list.place(key, position);
        ready.push(...(waiting.get(key) ?? []).reverse());
        waiting.delete(key);
      } else if ('reference' in position) {
        const others = waiting.get(position.reference);
        if (others === undefined) waiting.set(position.reference, [placement]);
        else others.push(placement);
      }
    }
  }
  for (const [reference, placed] of waiting) {
    onMissing(reference);
    for (const { key } of placed) list.place(key, END);
  }
};

/**
 * The list after the operation. Duplicates collapse to the first; what is connected moves; `disconnect` comes before `connect`.
 * `onMissing` is told the references that the list does not hold; where it returns, the item goes to the end.
 *
 * @example applyListOperation(['a', 'b'], { kind: 'change', connect: [{ key: 'c', position: { at: 'start' } }], disconnect: ['b'] }, fail) // ['c', 'a']
 */
export function applyListOperation(current: readonly string[], operation: ListOperation, onMissing: (reference: string) => void): readonly string[] {
  if (operation.kind === 'set') return [...new Set(operation.targets)];
  const list = new OrderedKeys();
  for (const key of current) list.place(key, END);
  for (const key of operation.disconnect) list.remove(key);
  placeAll(list, operation.connect, onMissing);
  return list.keys();
}

/** The same for an attribute that holds one (per locale, where it tells them apart): connecting replaces. */
export function applyToOne(current: readonly string[], operation: ListOperation): readonly string[] {
  if (operation.kind === 'set') return [...new Set(operation.targets)];
  const connected = operation.connect.slice(-1).map(({ key }) => key);
  return connected.length > 0 ? connected : current.filter((key) => !operation.disconnect.includes(key));
}
