import * as v from 'valibot';
import { createCheck, option, plainObject } from './checks.js';
import type { Check } from './checks.js';

/** The headers that can list the tags of a response. */
const TAG_HEADERS = ['Cache-Tag', 'Surrogate-Key'] as const;

export type TagHeader = (typeof TAG_HEADERS)[number];

/** The times for which responses with documents of a type may be cached, in seconds. */
export interface CacheControlInput {
  /** For browsers and other clients. Default: 0. */
  readonly maxAge?: number;
  /** For shared caches, which the webhooks with the event `cache.purge` empty. Default: none. */
  readonly sMaxAge?: number;
  /** For which shared caches may send a stale response while they refetch it. Default: none. */
  readonly staleWhileRevalidate?: number;
}

/** The key of the times of all types without an entry. */
export const ALL_TYPES = '*';

const YEAR_SECONDS = 31_536_000;

const time = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(YEAR_SECONDS)));

const control: Check<Readonly<Record<string, CacheControlInput>>> = createCheck(
  'an object with { maxAge, sMaxAge, staleWhileRevalidate }, in seconds, by the uids of content-types or *',
  v.pipe(
    plainObject,
    v.record(
      v.pipe(v.string(), v.regex(/^(\*$|(api|plugin)::)/)),
      v.pipe(plainObject, v.strictObject({ maxAge: time, sMaxAge: time, staleWhileRevalidate: time })),
    ),
  ),
);

const tagHeaders: Check<readonly TagHeader[]> = createCheck(
  `a list with some of ${TAG_HEADERS.join(', ')}`,
  v.pipe(v.unknown(), v.array(v.picklist(TAG_HEADERS))),
);

/** The keys of `cache` in cms.config.*. */
export const CACHE_SETTINGS = {
  'cache.tags': option(
    tagHeaders,
    [],
    'The headers that list the documents and lists on which a public response depends.',
    { example: ['Cache-Tag'] },
  ),
  'cache.control': option(
    control,
    {},
    'The header `Cache-Control` of public responses, by content-type; `*` applies to all others.',
    { example: { 'api::article.article': { maxAge: 0, sMaxAge: 86_400, staleWhileRevalidate: 60 } } },
  ),
} as const;
