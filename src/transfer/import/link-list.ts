import { getOrCreate } from '../../lib/memoize.js';

/** A link as its owner sees it. */
export interface ImportedLink {
  readonly targetType: string;
  readonly targetId: number;
  /** In the list of the inverse side. */
  readonly inversePosition: number;
}

/** A link as the export has it. */
export interface LinkRow extends ImportedLink {
  readonly owner: number;
  /** In the owner's list. */
  readonly position: number;
}

/** Compares two links by their places in the list. */
type Compare = (left: number, right: number) => number;

/** The links of one attribute, as lists of numbers: an export may have millions. */
export class LinkList {
  readonly #owners: number[] = [];
  readonly #positions: number[] = [];
  readonly #targetTypes: number[] = [];
  readonly #targets: number[] = [];
  readonly #inversePositions: number[] = [];
  readonly #typeNames: string[] = [];
  readonly #typeNumbers = new Map<string, number>();
  /** The links in the order of their owners and positions. Null: not known since one was added. */
  #sorted: Uint32Array | null = null;

  add({ owner, position, targetType, targetId, inversePosition }: LinkRow): void {
    this.#owners.push(owner);
    this.#positions.push(position);
    this.#targetTypes.push(
      getOrCreate(this.#typeNumbers, targetType, () => this.#typeNames.push(targetType) - 1),
    );
    this.#targets.push(targetId);
    this.#inversePositions.push(inversePosition);
    this.#sorted = null;
  }

  /** Earlier links of the export come first where all else is equal. */
  #sort(...columns: readonly (readonly number[])[]): Uint32Array {
    const compare: Compare = (left, right) => {
      for (const column of columns) {
        const difference = (column[left] ?? 0) - (column[right] ?? 0);
        if (difference !== 0) return difference;
      }
      return left - right;
    };
    return Uint32Array.from(this.#owners, (_owner, index) => index).sort(compare);
  }

  #order(): Uint32Array {
    return (this.#sorted ??= this.#sort(this.#owners, this.#positions));
  }

  /** The links of one row in their order. */
  of(owner: number): readonly ImportedLink[] {
    const order = this.#order();
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#owners[order[middle] ?? 0] ?? 0) < owner) low = middle + 1;
      else high = middle;
    }
    const links: ImportedLink[] = [];
    for (let place = low; place < order.length; place += 1) {
      const index = order[place] ?? 0;
      if (this.#owners[index] !== owner) break;
      links.push({
        targetType: this.#typeNames[this.#targetTypes[index] ?? 0] ?? '',
        targetId: this.#targets[index] ?? 0,
        inversePosition: this.#inversePositions[index] ?? 0,
      });
    }
    return links;
  }

  /** The rows that have links, in the order of their ids. */
  owners(): readonly number[] {
    const owners: number[] = [];
    for (const index of this.#order()) {
      const owner = this.#owners[index] ?? 0;
      if (owners.at(-1) !== owner) owners.push(owner);
    }
    return owners;
  }

  get size(): number {
    return this.#owners.length;
  }
}
