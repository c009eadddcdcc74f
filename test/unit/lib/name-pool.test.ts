import { describe, expect, it } from 'vitest';
import { createNamePool } from '../../../src/lib/name-pool.js';

describe('a name pool', () => {
  it('numbers names that are taken', () => {
    const pool = createNamePool();
    pool.reserve(['tag', 'tag3']);
    expect(['tag', 'tag', 'tag', 'tag2'].map(pool.allocate)).toEqual(['tag2', 'tag4', 'tag5', 'tag22']);
  });

  it('derives names by its own rules', () => {
    const pool = createNamePool({
      fold: (name) => name.toLowerCase(),
      nextCandidate: (name) => `${name}_`,
    });
    expect(['Tag', 'tag', 'TAG'].map(pool.allocate)).toEqual(['Tag', 'tag_', 'TAG__']);
  });
});
