import type { GraphQLResolveInfo } from 'graphql';

/** Maximum age in seconds, and scope, of a cached response. */
interface CacheHint {
  readonly maxAge?: number;
  readonly scope?: 'PUBLIC' | 'PRIVATE';
}

/** The `info` of a resolver, with cache hints. */
export interface ResolverInfo extends GraphQLResolveInfo {
  /**
   * Cache hints of code that is written for Strapi. They have no effect, because responses depend on the
   * caller.
   */
  readonly cacheControl: { readonly cacheHint: CacheHint; readonly setCacheHint: (hint: CacheHint) => void };
}

/** Adds `cacheControl` to the info of a call. */
export function withCacheControl(info: GraphQLResolveInfo): ResolverInfo {
  const cacheHint: CacheHint = {};
  return Object.assign(info, {
    cacheControl: { cacheHint, setCacheHint: (hint: CacheHint) => void Object.assign(cacheHint, hint) },
  });
}
