import { describe, expect, it } from 'vitest';
import { createLruCache } from '../../../src/lib/lru-cache.js';

describe('an LRU cache', () => {
  it('forgets what was not asked for longest', () => {
    const cache = createLruCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
    expect(cache.size()).toBe(2);
  });

  it('takes a new value for a known key', () => {
    const cache = createLruCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);
    cache.set('c', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual([3, undefined]);
  });
});
