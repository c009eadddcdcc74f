import { describe, expect, it } from 'vitest';
import { arrangeList } from '../../../../src/documents/links/ordering.js';
import type { PositionedItem } from '../../../../src/documents/links/ordering.js';

/** Parses `'a1 b3 c'`: items with their positions, if they have any. */
const stored = (text: string): readonly PositionedItem[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({
      key: word.charAt(0),
      position: word.length === 1 ? null : Number(word.slice(1)),
    }));

const arranged = (
  current: string,
  desired: string,
  others: readonly number[] = [],
  movable?: string,
): string => {
  const isMovable = movable === undefined ? undefined : (key: string) => movable.includes(key);
  const { positions } = arrangeList(stored(current), [...desired], others, isMovable);
  return [...desired].map((key) => `${key}${positions.get(key)}`).join(' ');
};

describe('the positions of a list', () => {
  it.each([
    ['a list that stays', 'a1 b2 c5', 'abc', 'a1 b2 c5'],
    ['a list that is new', '', 'abc', 'a1 b2 c3'],
    ['items at the end', 'a1 b2', 'abcd', 'a1 b2 c3 d4'],
    ['items at the start', 'a1 b2', 'cdab', 'c-1 d0 a1 b2'],
    ['items between others', 'a1 b2', 'acdeb', 'a1 c1.25 d1.5 e1.75 b2'],
    ['an item that is removed', 'a1 b2 c3', 'ac', 'a1 c3'],
    ['the first item, moved to the end', 'a1 b2 c3 d4', 'bcda', 'b2 c3 d4 a5'],
    ['the last item, moved to the start', 'a1 b2 c3 d4', 'dabc', 'd0 a1 b2 c3'],
    ['a reversed list', 'a1 b2 c3', 'cba', 'c-1 b0 a1'],
    ['items that have the same position', 'a1 b1 c2', 'abc', 'a0 b1 c2'],
    ['items that have no position', 'a b2', 'ab', 'a1 b2'],
  ])('are kept as far as they can be: %s', (_name, current, desired, expected) => {
    expect(arranged(current, desired)).toBe(expected);
  });

  it('are none that another version of the list uses', () => {
    expect(arranged('a1 b2', 'acb', [1.5])).toBe('a1 c1.25 b2');
    expect(arranged('a1 b2', 'abc', [3, -4])).toBe('a1 b2 c2.5');
    expect(arranged('a1 b2', 'cab', [-4])).toBe('c-5 a1 b2');
  });

  it('change for movable items only', () => {
    expect(arranged('a1 b2', 'ba', [], 'a')).toBe('b2 a3');
    expect(arranged('a1 b2', 'ba', [], 'b')).toBe('b0 a1');
    expect(arranged('a1 b2 c3 d4', 'cbad', [], 'abc')).toBe('c-1 b0 a1 d4');
  });

  it('are crowded once they have been halved twenty times', () => {
    const isCrowded = (gap: number): boolean =>
      arrangeList(
        [
          { key: 'a', position: 1 },
          { key: 'b', position: 1 + gap },
        ],
        ['a', 'c', 'b'],
      ).isCrowded;
    expect([isCrowded(2 ** -19), isCrowded(2 ** -20)]).toEqual([false, true]);
  });
});
