import qs from 'qs';
import { fail } from '../errors/catalogue.js';

const MAX_PARAMETERS = 1_000;

/** Items of one list, by position (`[3]`) or number. */
const MAX_ITEMS = 1_000;

/** Brackets after a name; well above what the deepest allowed filter or populate takes. */
const MAX_DEPTH = 64;

/**
 * Reads a query string in bracket notation into plain nested values: text, null for a name without `=`, lists, and objects without
 * prototype, so that no name means anything but itself. Broken percent-encoding stays as it is.
 * Throws `request/invalid-query-string` beyond the limits; nothing is dropped silently but `__proto__`. Because it throws it can't be
 * Fastify's `querystringParser`: what that throws ends the process.
 *
 * @example parseQueryString('filters[name][$in][0]=red&sort=name') // { filters: { name: { $in: ['red'] } }, sort: 'name' }
 */
export function parseQueryString(text: string): Readonly<Record<string, unknown>> {
  try {
    return qs.parse(text, {
      plainObjects: true,
      strictNullHandling: true,
      ignoreQueryPrefix: true,
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: MAX_ITEMS,
      throwOnLimitExceeded: true,
    });
  } catch (cause) {
    throw fail('request/invalid-query-string', { parameters: MAX_PARAMETERS, items: MAX_ITEMS, depth: MAX_DEPTH }, { cause });
  }
}
