import type { Grants } from '../access/access.js';
import { createLruCache } from '../lib/lru-cache.js';
import type { ReadQuery } from '../query/query.js';

/** What a query depends on besides the model, the limits of requests and what its caller was granted. */
export interface QueryOrigin {
  readonly uid: string;
  /** Whether a page of a list is asked for. */
  readonly many: boolean;
  readonly defaultLocale: string;
  /** The request's parameters as they were sent. */
  readonly text: string;
}

/** Queries parsed before. They are frozen, so that requests can share them. */
export interface QueryMemory {
  /** Only for callers whose rights follow from their grants alone: conditions may speak of the very caller. */
  readonly recall: (grants: Grants, origin: QueryOrigin, parse: () => ReadQuery) => ReadQuery;
}

const QUERIES = 300;
/** Longer ones are seldom asked twice. */
const MAX_TEXT = 2000;

/** Sites ask the same few questions over and over: `populate=*` takes longer to parse than a document to read. */
export function createQueryMemory(): QueryMemory {
  const queries = createLruCache<string, ReadQuery>(QUERIES);
  const numbers = new WeakMap<Grants, number>();
  let last = 0;
  const numberOf = (grants: Grants): number => {
    const known = numbers.get(grants);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(grants, last);
    return last;
  };
  return {
    recall: (grants, { uid, many, defaultLocale, text }, parse) => {
      if (text.length > MAX_TEXT) return parse();
      const key = `${numberOf(grants)} ${uid} ${many} ${defaultLocale} ${text}`;
      const known = queries.get(key);
      if (known !== undefined) return known;
      const query = parse();
      queries.set(key, query);
      return query;
    },
  };
}
