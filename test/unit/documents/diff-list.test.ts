import { describe, expect, it } from 'vitest';
import { diffList, isSameList } from '../../../src/documents/links/plan/diff-list.js';
import type { PositionedItem } from '../../../src/documents/links/plan/diff-list.js';

/** Parses `'a1 b3 c'`: items with their positions, if they have any. */
const stored = (text: string): readonly PositionedItem<string>[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({
      key: word.charAt(0),
      position: word.length === 1 ? null : Number(word.slice(1)),
      item: word,
    }));

describe('a stored list', () => {
  it('is the same as a desired one exactly where nothing is to be changed', () => {
    const lists = ['', 'a1', 'a0', 'a2', 'a', 'a1 b2', 'a2 b5', 'b1 a2', 'a1 b1', 'a1 a2', 'a1 b'];
    const desired = [[], ['a'], ['a', 'b'], ['b', 'a'], ['a', 'b', 'c']];
    let same = 0;
    for (const list of lists.map(stored))
      for (const keys of desired) {
        const { removed, added, moved } = diffList(list, keys);
        const isSame = removed.length + added.length + moved.length === 0;
        expect([list, keys, isSameList(list, keys)]).toEqual([list, keys, isSame]);
        if (isSame) same += 1;
      }
    expect(same).toBe(6);
  });
});
