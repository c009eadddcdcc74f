import { describe, expect, it } from 'vitest';
import { createPostgresSearch } from '../../../src/dialects/postgres/search.js';

const lookedUp = (...terms: readonly string[]): readonly string[] =>
  createPostgresSearch('builtin').valuesOf(
    { kind: 'and', items: terms.map((term) => ({ kind: 'contains', text: 0, term, isFolded: true })) },
    { name: 'found', table: 'notes', hasDrafts: true, texts: [] },
  );

describe('what PostgreSQL looks up of a term', () => {
  it('begins and ends with trigrams of several letters', () => {
    expect(lookedUp('00000500', '7---', '---700', 'a   b', '😀😀😀😀x')).toEqual([
      '00500',
      '7--',
      '--700',
      'a   b',
      '😀😀x',
    ]);
  });

  it('is the term where nothing else is left', () => {
    expect(lookedUp('aaaa', 'aaa', 'zebra', 'foo')).toEqual(['aaaa', 'aaa', 'zebra', 'foo']);
  });

  it('is part of the term, and long enough to be found', () => {
    for (const term of ['aab', 'aaab', 'abbb', 'aaabbb', 'aabbaa', '000100', '1000', '0001']) {
      const [part = ''] = lookedUp(term);
      expect(term).toContain(part);
      expect(part.length).toBeGreaterThanOrEqual(3);
    }
  });
});
