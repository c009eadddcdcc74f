import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/lib/nearest.js';

describe('nearest', () => {
  const types = ['article', 'author', 'category', 'tag'];

  it.each([
    ['artcile', 'article'],
    ['Article', 'article'],
    ['cat', 'category'],
    ['tga', 'tag'],
    ['autor', 'author'],
    ['zebra', undefined],
    ['xyz', undefined],
    ['', undefined],
  ])('%s → %s', (text, expected) => {
    expect(nearest(text, types)).toBe(expected);
  });

  it('never suggests an empty name', () => {
    expect(nearest('x', [''])).toBeUndefined();
    expect(didYouMean('x', ['', 'tag'], 'See: cms --help')).toBe('See: cms --help');
  });

  it('prefers the closest of several', () => {
    expect(nearest('lists', ['lisp', 'list', 'lists!'])).toBe('lists!');
    expect(nearest('lost', ['last', 'lot', 'lost'])).toBe('lost');
  });
});
