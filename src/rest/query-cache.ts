import { LRUCache } from 'lru-cache';
import type { Grants } from '../access/access.js';
import type { ReadQuery } from '../query/query.js';

/** What a query depends on besides the model, the limits of requests and the caller's grants. */
export interface QueryCacheKey {
  readonly uid: string;
  /** Whether the request reads a page of a list. */
  readonly isList: boolean;
  readonly defaultLocale: string;
  /** The query string of the request. */
  readonly text: string;
}

/** Caches parsed queries. They are frozen, so that requests can share them. */
export interface QueryCache {
  /** Only for callers without conditions: these may depend on the caller's own values. */
  readonly getOrParse: (grants: Grants, origin: QueryCacheKey, parse: () => ReadQuery) => ReadQuery;
}

const MAX_QUERIES = 300;
/** Longer query strings are rarely repeated. */
const MAX_TEXT_LENGTH = 2000;

/** Sites repeat the same few requests, and parsing `populate=*` takes longer than reading a document. */
export function createQueryCache(): QueryCache {
  const queries = new LRUCache<string, ReadQuery>({ max: MAX_QUERIES });
  const grantIds = new WeakMap<Grants, number>();
  let lastGrantId = 0;
  const grantIdOf = (grants: Grants): number => {
    const cached = grantIds.get(grants);
    if (cached !== undefined) return cached;
    lastGrantId += 1;
    grantIds.set(grants, lastGrantId);
    return lastGrantId;
  };
  return {
    getOrParse: (grants, { uid, isList, defaultLocale, text }, parse) => {
      if (text.length > MAX_TEXT_LENGTH) return parse();
      const key = `${grantIdOf(grants)} ${uid} ${isList} ${defaultLocale} ${text}`;
      const cached = queries.get(key);
      if (cached !== undefined) return cached;
      const query = parse();
      queries.set(key, query);
      return query;
    },
  };
}
