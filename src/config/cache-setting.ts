import * as v from 'valibot';
import { check } from './checks.js';

const STRICT_MEGABYTES = 64;
/** Node.js itself has not much more. */
const MAX_MEGABYTES = 65_536;

/** The megabytes of cached responses. `strict`: the default, and the database is asked each time. */
export type CacheSetting = number | 'strict';

/** The values that `api.cache` allows. */
export const cacheSize = check<CacheSetting>(
  `a whole number of megabytes from 0 to ${MAX_MEGABYTES}, or strict`,
  v.pipe(
    v.unknown(),
    v.union([v.literal('strict'), v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]),
    v.check(
      (value) => value === 'strict' || (Number.isInteger(value) && value >= 0 && value <= MAX_MEGABYTES),
    ),
  ),
);

export function cacheOf(setting: CacheSetting): { readonly megabytes: number; readonly isStrict: boolean } {
  const isStrict = setting === 'strict';
  return { megabytes: isStrict ? STRICT_MEGABYTES : setting, isStrict };
}
