import { describe, expect, it } from 'vitest';
import type { Grants } from '../../../../src/access/access.js';
import { createSharedGrantsId } from '../../../../src/access/permissions/authorise.js';
import type { ReadQuery } from '../../../../src/query/query.js';
import { createQueryCache } from '../../../../src/api/rest/parse-query-string.js';
import type { QueryCacheKey } from '../../../../src/api/rest/parse-query-string.js';

const KEY: QueryCacheKey = { uid: 'api::tag.tag', isList: true, defaultLocale: 'en', text: 'populate=*' };

const grantsOf = (...actions: readonly string[]): Grants => ({
  kind: 'actions',
  actions: new Set(actions),
  rules: new Map(),
});

let parseCount = 0;
const parse = (): ReadQuery => {
  parseCount += 1;
  return Object.freeze({
    type: `query ${parseCount}`,
    filter: null,
    sort: [],
    selection: { fields: [], populate: [] },
    page: null,
    locale: 'en',
    status: 'published',
    hasPublishedVersion: null,
  });
};

describe('the query cache', () => {
  it('parses a repeated request of the same grants once', () => {
    const cache = createQueryCache(createSharedGrantsId());
    const grants = grantsOf('find');
    expect(cache.getOrParse(grants, { ...KEY }, parse)).toBe(cache.getOrParse(grants, { ...KEY }, parse));
  });

  it.each<readonly [string, Partial<QueryCacheKey>]>([
    ['another type', { uid: 'api::tag.other' }],
    ['one document', { isList: false }],
    ['another default locale', { defaultLocale: 'fr' }],
    ['other parameters', { text: 'populate=tags' }],
  ])('parses again for %s', (_what, change) => {
    const cache = createQueryCache(createSharedGrantsId());
    const grants = grantsOf('find');
    expect(cache.getOrParse(grants, KEY, parse)).not.toBe(
      cache.getOrParse(grants, { ...KEY, ...change }, parse),
    );
  });

  it('shares no query between different grants, even if they are equal', () => {
    const cache = createQueryCache(createSharedGrantsId());
    expect(cache.getOrParse(grantsOf('find'), KEY, parse)).not.toBe(
      cache.getOrParse(grantsOf('find'), KEY, parse),
    );
  });

  it('does not cache errors', () => {
    const cache = createQueryCache(createSharedGrantsId());
    const grants = grantsOf();
    const failingParse = (): ReadQuery => {
      throw new Error('refused');
    };
    expect(() => cache.getOrParse(grants, KEY, failingParse)).toThrow('refused');
    expect(cache.getOrParse(grants, KEY, parse).filter).toBeNull();
  });

  it('caches no very long query strings, and a limited number of them', () => {
    const cache = createQueryCache(createSharedGrantsId());
    const grants = grantsOf('find');
    const long = { ...KEY, text: 'x'.repeat(5000) };
    expect(cache.getOrParse(grants, long, parse)).not.toBe(cache.getOrParse(grants, long, parse));
    const first = cache.getOrParse(grants, KEY, parse);
    for (let index = 0; index < 1000; index += 1)
      cache.getOrParse(grants, { ...KEY, text: String(index) }, parse);
    expect(cache.getOrParse(grants, KEY, parse)).not.toBe(first);
  });
});
