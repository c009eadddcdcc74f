import * as v from 'valibot';
import { check } from './checks.js';
import type { Check } from './checks.js';

const limit = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));

/** The setting `history.types`. */
export const limitsByType: Check<Readonly<Record<string, number>>> = check(
  'an object with whole numbers from 0 to 10000 by the uids of content-types',
  v.pipe(v.unknown(), v.record(v.pipe(v.string(), v.regex(/^(api|plugin)::/)), limit)),
);
