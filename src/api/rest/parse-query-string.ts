import { LRUCache } from 'lru-cache';
import qs from 'qs';
import type { Grants } from '../../access/access.js';
import type { SharedGrantsId } from '../../access/permissions/authorise.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
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
  /** Only for callers whose grants have no conditions, since conditions may depend on the caller's values. */
  readonly getOrParse: (grants: Grants, origin: QueryCacheKey, parse: () => ReadQuery) => ReadQuery;
}

const MAX_QUERIES = 300;
/** Longer query strings are rarely repeated. */
const MAX_TEXT_LENGTH = 2000;

/**
 * Creates a cache of parsed queries. Sites repeat the same few requests, and parsing `populate=*` takes
 * longer than reading a document.
 */
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

const MAX_PARAMETERS = 1_000;

/** Maximum items of one list, with (`[3]`) or without positions. */
const MAX_ITEMS = 1_000;

/** Maximum brackets after a name, more than the deepest valid filter or populate has. */
const MAX_DEPTH = 64;

const LIMITS = { parameters: MAX_PARAMETERS, items: MAX_ITEMS, depth: MAX_DEPTH };

/** Parses names in bracket notation. `tooLarge` creates the error for text beyond the limits. */
const parseBrackets = (
  text: string,
  options: { readonly strictNullHandling: boolean; readonly ignoreQueryPrefix: boolean },
  tooLarge: (limits: typeof LIMITS, cause: unknown) => GalleyError,
): Readonly<Record<string, unknown>> => {
  try {
    return qs.parse(text, {
      plainObjects: true,
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: MAX_ITEMS,
      throwOnLimitExceeded: true,
      ...options,
    });
  } catch (cause) {
    throw tooLarge(LIMITS, cause);
  }
};

/**
 * Parses a query string in bracket notation into nested values: text, null for a name without `=`, lists, and
 * objects without a prototype. Invalid percent-encoding stays as it is, and `__proto__` is dropped. It cannot
 * be Fastify's `querystringParser`, since an error thrown there would end the process.
 *
 * @example
 *   parseQueryString('filters[name][$in][0]=red&sort=name');
 *   // { filters: { name: { $in: ['red'] } }, sort: 'name' }
 *
 * @throws `request/invalid-query-string` beyond the limits
 */
export function parseQueryString(text: string): Readonly<Record<string, unknown>> {
  return parseBrackets(text, { strictNullHandling: true, ignoreQueryPrefix: true }, (limits, cause) =>
    createError('request/invalid-query-string', limits, { cause }),
  );
}

/**
 * Parses the body of an HTML form (`data[title]=Hello`) in the same way. All values are text.
 *
 * @throws `request/invalid-form` beyond the limits
 */
export function parseFormBody(text: string): Readonly<Record<string, unknown>> {
  return parseBrackets(text, { strictNullHandling: false, ignoreQueryPrefix: false }, (limits, cause) =>
    createError('request/invalid-form', limits, { cause }),
  );
}
