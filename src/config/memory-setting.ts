import * as v from 'valibot';
import { check } from './checks.js';

const STRICT_MEGABYTES = 64;
/** Node.js itself has not much more. */
const MAX_MEGABYTES = 65_536;

/** How much memory answers may take, and whether the database is asked each time. */
export type MemorySetting = number | 'strict';

/** What `api.memory` allows. */
export const memory = check<MemorySetting>(
  `a whole number of megabytes from 0 to ${MAX_MEGABYTES}, or strict`,
  v.pipe(
    v.unknown(),
    v.union([v.literal('strict'), v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]),
    v.check(
      (value) => value === 'strict' || (Number.isInteger(value) && value >= 0 && value <= MAX_MEGABYTES),
    ),
  ),
);

export function memoryOf(setting: MemorySetting): { readonly megabytes: number; readonly isStrict: boolean } {
  const isStrict = setting === 'strict';
  return { megabytes: isStrict ? STRICT_MEGABYTES : setting, isStrict };
}
