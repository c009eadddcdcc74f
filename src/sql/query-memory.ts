import { isDeepFrozen } from '../lib/freeze.js';
import type { ReadQuery } from '../query/query.js';

type Compute<T> = (query: ReadQuery) => T;

export interface QueryMemory {
  /** Returns a function that computes once for each query that cannot change. */
  readonly remember: <T>(compute: Compute<T>) => Compute<T>;
  readonly forget: () => void;
}

/** Creates a memory of results for queries that cannot change, which are those that requests share. */
export function createQueryMemory(): QueryMemory {
  const clearings: (() => void)[] = [];
  return {
    remember: <T>(compute: Compute<T>): Compute<T> => {
      let remembered = new WeakMap<ReadQuery, T>();
      clearings.push(() => {
        remembered = new WeakMap();
      });
      return (query) => {
        const known = remembered.get(query);
        if (known !== undefined) return known;
        const result = compute(query);
        if (isDeepFrozen(query)) remembered.set(query, result);
        return result;
      };
    },
    forget: (): void => {
      for (const clear of clearings) clear();
    },
  };
}
