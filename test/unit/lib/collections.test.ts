import { describe, expect, it } from 'vitest';
import { defined } from '../../../src/lib/assert.js';
import {
  clampIndex,
  getOrCreate,
  groupBy,
  memoize,
  memoizeAsync,
  memoizeWeakly,
} from '../../../src/lib/collections.js';

describe('getOrCreate', () => {
  it('creates a missing value and returns the stored one afterwards', () => {
    const store = new Map<string, string[]>();
    getOrCreate(store, 'tags', () => []).push('red');
    expect(getOrCreate(store, 'tags', () => [])).toEqual(['red']);
  });
});

describe('clampIndex', () => {
  it('stays within the list', () => {
    expect([clampIndex(-1, 3), clampIndex(1, 3), clampIndex(9, 3), clampIndex(2, 0)]).toEqual([0, 1, 2, 0]);
  });
});

describe('groupBy', () => {
  it('keeps the order of groups and items', () => {
    const groups = groupBy(['pear', 'fig', 'plum', 'kiwi'], ({ length }) => length);
    expect([...groups]).toEqual([
      [4, ['pear', 'plum', 'kiwi']],
      [3, ['fig']],
    ]);
  });
});

describe.each([
  ['memoize', memoize],
  ['memoizeWeakly', memoizeWeakly],
])('%s', (_name, memoizer) => {
  it('computes the value of each key once', () => {
    const keys: object[] = [];
    const countOf = memoizer((key: object) => keys.push(key));
    const [first, second] = [{}, {}];
    expect([countOf(first), countOf(second), countOf(first)]).toEqual([1, 2, 1]);
    expect(keys).toEqual([first, second]);
  });
});

describe('memoizeAsync', () => {
  it('shares a pending value, and computes it again after a failure', async () => {
    const results = [Promise.reject(new Error('offline')), Promise.resolve('loaded')];
    const load = memoizeAsync((_key: string) => results.shift() ?? Promise.resolve('again'));
    const first = load('a');
    expect(load('a')).toBe(first);
    await expect(first).rejects.toThrow('offline');
    expect([await load('a'), await load('a'), await load('b')]).toEqual(['loaded', 'loaded', 'again']);
  });
});

describe('defined', () => {
  it('returns the value, including falsy ones', () => {
    expect([defined(0, 'x'), defined('', 'x'), defined(false, 'x')]).toEqual([0, '', false]);
  });

  it.each([null, undefined])('throws for %s and names what is missing', (value) => {
    expect(() => defined(value, "the version's id")).toThrow(new TypeError("the version's id is missing"));
  });
});
