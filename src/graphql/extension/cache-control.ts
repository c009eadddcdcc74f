import type { GraphQLResolveInfo } from 'graphql';

/** For how many seconds an answer may be kept, and for whom. */
export interface CacheHint {
  readonly maxAge?: number;
  readonly scope?: 'PUBLIC' | 'PRIVATE';
}

/** What a resolver knows of its call. */
export interface ResolverInfo extends GraphQLResolveInfo {
  /** Where code written for the peer leaves hints for caches. They are taken and have no effect: what is answered depends on who asks. */
  readonly cacheControl: { readonly cacheHint: CacheHint; readonly setCacheHint: (hint: CacheHint) => void };
}

/** The call's own info, with a place for hints. */
export function withCacheControl(info: GraphQLResolveInfo): ResolverInfo {
  const cacheHint: CacheHint = {};
  return Object.assign(info, { cacheControl: { cacheHint, setCacheHint: (hint: CacheHint) => void Object.assign(cacheHint, hint) } });
}
