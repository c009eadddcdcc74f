import { getOrCreate } from '../../lib/memoize.js';

/** Strapi's ids are 32-bit integers. */
const MAX_ID = 2_147_483_647;

/** True if an id can be one of Strapi's. */
export function canKeep(id: unknown): id is number {
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_ID;
}

/** Gives a component of a kind its id in an export, which may be the one that it has. */
export interface ComponentIdSource {
  readonly next: (uid: string, id: unknown) => number;
}

/**
 * Gives components ids that are unique within their kind: those that they have, unless they are too large for
 * Strapi or another one has them.
 */
export class ComponentIds implements ComponentIdSource {
  readonly #largest: ReadonlyMap<string, number>;
  readonly #used = new Map<string, Set<number>>();
  readonly #last = new Map<string, number>();

  /** @param largest the largest id of each kind that can be kept */
  constructor(largest: ReadonlyMap<string, number>) {
    this.#largest = largest;
  }

  next(uid: string, id: unknown): number {
    const used = getOrCreate(this.#used, uid, () => new Set<number>());
    if (canKeep(id) && !used.has(id)) {
      used.add(id);
      return id;
    }
    const created = (this.#last.get(uid) ?? this.#largest.get(uid) ?? 0) + 1;
    this.#last.set(uid, created);
    return created;
  }
}
