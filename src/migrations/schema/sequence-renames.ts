import type { Rename } from './rename-in-schema.js';

const isSameNamespace = (left: Rename, right: Rename): boolean =>
  left.kind === 'table' ? right.kind === 'table' : right.kind === 'column' && right.table === left.table;

const isFree = (rename: Rename, pending: readonly Rename[]): boolean =>
  !pending.some((other) => other !== rename && isSameNamespace(rename, other) && other.from === rename.to);

/**
 * Orders renames so that each new name is free when its turn comes: tables first, then columns. If names are
 * swapped, one gets a temporary name.
 *
 * @param renames columns name their table as it is called after the renames
 */
export function sequenceRenames(renames: readonly Rename[]): readonly Rename[] {
  const sequence: Rename[] = [];
  let pending = renames.toSorted(
    (left, right) => Number(left.kind === 'column') - Number(right.kind === 'column'),
  );
  for (let rename = pending[0]; rename !== undefined; rename = pending[0]) {
    const next = pending.find((candidate) => isFree(candidate, pending));
    if (next !== undefined) {
      sequence.push(next);
      pending = pending.filter((candidate) => candidate !== next);
      continue;
    }
    const waiting = `${rename.from}_renamed`;
    sequence.push({ ...rename, to: waiting });
    pending = [{ ...rename, from: waiting }, ...pending.slice(1)];
  }
  return sequence;
}
