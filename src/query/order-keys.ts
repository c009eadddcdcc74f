import type { SortNode } from './query.js';

const BY_ID: SortNode = Object.freeze({ path: Object.freeze(['id']), direction: 'asc' });

/** Returns what decides the order of a list: its sort and then the id, which no two records share. */
export function orderKeysOf(sort: readonly SortNode[]): readonly SortNode[] {
  const idIndex = sort.findIndex(({ path }) => path.length === 1 && path[0] === 'id');
  return idIndex < 0 ? [...sort, BY_ID] : sort.slice(0, idIndex + 1);
}
