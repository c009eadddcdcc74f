import { describe, expect, it } from 'vitest';
import { applyListOperation, applyToOne } from '../../../../src/documents/links/ordering.js';
import type { ListOperation, ListPosition } from '../../../../src/documents/links/ordering.js';

const never = (reference: string | null): never => {
  throw new Error(`missing ${reference}`);
};

/**
 * Parses `'a<b'` (connect a before b), `'a>b'` (after b), `'^a'` (at the start), `'a'` (at the end) and
 * `'-a'` (disconnect).
 */
const change = (...words: readonly string[]): ListOperation => {
  const position = (word: string): ListPosition => {
    if (word.startsWith('^')) return { at: 'start' };
    const [, sign, reference] = /^.([<>])(.)$/.exec(word) ?? [];
    return sign === undefined || reference === undefined
      ? { at: 'end' }
      : { at: sign === '<' ? 'before' : 'after', reference };
  };
  return {
    kind: 'change',
    connect: words
      .filter((word) => !word.startsWith('-'))
      .map((word) => ({ key: word.replace('^', '').charAt(0), position: position(word) })),
    disconnect: words.filter((word) => word.startsWith('-')).map((word) => word.slice(1)),
  };
};

describe('a list', () => {
  it.each<[string, ListOperation, string]>([
    ['ab', { kind: 'set', targets: ['c', 'a'] }, 'ca'],
    ['ab', { kind: 'set', targets: [] }, ''],
    ['', { kind: 'set', targets: ['a', 'b', 'a'] }, 'ab'],
    ['ab', change('c', 'd'), 'abcd'],
    ['ab', change('^c'), 'cab'],
    ['ab', change('^c', '^d'), 'dcab'],
    ['ab', change('c<b'), 'acb'],
    ['ab', change('c>a'), 'acb'],
    ['ab', change('c>b'), 'abc'],
    ['abc', change('a'), 'bca'],
    ['abc', change('^c'), 'cab'],
    ['abc', change('a>b'), 'bac'],
    ['abc', change('c<a'), 'cab'],
    ['abc', change('-b'), 'ac'],
    ['abc', change('-x'), 'abc'],
    ['abc', change('-a', 'd'), 'bcd'],
    ['abc', change('-a', 'a'), 'bca'],
    ['abc', change('-b', 'c<b'), 'ac'],
    ['abcd', change('-b', 'd<b'), 'adc'],
    ['abcd', change('-b', 'd>b'), 'adc'],
    ['ab', change('-a', 'c<a'), 'cb'],
    ['abc', change('-a', '-b', 'e>b', 'd<a'), 'dec'],
    ['ab', change('c<d', 'd'), 'abcd'],
    ['ab', change('c<d', 'd<e', 'e<a'), 'cdeab'],
    ['a', change('c>b', 'd>b', 'b'), 'abdc'],
    ['', change('a', 'a'), 'a'],
  ])('%s', (before, operation, after) => {
    expect(applyListOperation([...before], operation, never).join('')).toBe(after);
  });

  it.each([
    ['ab', change('c<x'), 'x'],
    ['ab', change('-x', 'c<x'), 'x'],
    ['a', change('b<b'), 'b'],
    ['', change('a<b', 'b<a'), 'b'],
  ])('reports a reference that is not in the list', (before, operation, missing) => {
    expect(() => applyListOperation([...before], operation, never)).toThrow(`missing ${missing}`);
  });

  it('appends items whose reference is missing, if onMissing returns', () => {
    expect(applyListOperation(['a'], change('b<x'), () => {})).toEqual(['a', 'b']);
  });

  it('with 10,000 items takes less than a second of CPU time, chained backwards or all at the start', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}`);
    const backwards: ListOperation = {
      kind: 'change',
      disconnect: [],
      connect: keys.map((key, index) => ({
        key,
        position: index === keys.length - 1 ? { at: 'end' } : { at: 'before', reference: `k${index + 1}` },
      })),
    };
    const started = process.cpuUsage();
    expect(applyListOperation([], backwards, never)).toEqual(keys);
    expect(
      applyListOperation(
        keys,
        { kind: 'change', disconnect: [], connect: keys.map((key) => ({ key, position: { at: 'start' } })) },
        never,
      ),
    ).toEqual(keys.toReversed());
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});

describe('a to-one', () => {
  it.each<[string, ListOperation, string]>([
    ['a', { kind: 'set', targets: ['b'] }, 'b'],
    ['a', { kind: 'set', targets: [] }, ''],
    ['a', change('b'), 'b'],
    ['', change('b'), 'b'],
    ['a', change('-a'), ''],
    ['a', change('-b'), 'a'],
    ['a', change('-a', 'b'), 'b'],
    ['a', change(), 'a'],
  ])('%s', (before, operation, after) => {
    expect(applyToOne([...before], operation).join('')).toBe(after);
  });
});
