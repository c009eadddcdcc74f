import { LRUCache } from 'lru-cache';
import type { Grants } from '../../access/access.js';
import type { SharedGrantsId } from '../../access/shared-grants.js';
import type { ReadQuery } from '../../query/query.js';

/** Inputs of a query besides the model, the limits of requests and the caller's grants. */
export interface QueryCacheKey {
  readonly uid: string;
  /** True if the request reads a page of a list. */
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
export function createQueryCache(grantsId: SharedGrantsId): QueryCache {
  const queries = new LRUCache<string, ReadQuery>({ max: MAX_QUERIES });
  return {
    getOrParse: (grants, { uid, isList, defaultLocale, text }, parse) => {
      const id = grantsId(grants);
      if (id === null || text.length > MAX_TEXT_LENGTH) return parse();
      const key = `${id} ${uid} ${isList} ${defaultLocale} ${text}`;
      const cached = queries.get(key);
      if (cached !== undefined) return cached;
      const query = parse();
      queries.set(key, query);
      return query;
    },
  };
}
