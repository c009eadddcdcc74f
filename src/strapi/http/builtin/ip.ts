import { isRecord } from '../../../lib/is-record.js';
import type { Context, Middleware } from '../context.js';

/** As an IPv4 client is seen where the server listens for IPv6, too. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

const patternsOf = (value: unknown): readonly RegExp[] | null =>
  Array.isArray(value) ? value.map((each: string | RegExp) => new RegExp(each)) : null;

const matches = (patterns: readonly RegExp[], address: string): boolean =>
  patterns.some((pattern) => pattern.test(address) || pattern.test(address.replace(MAPPED, '')));

/**
 * Paths that are open to every address: they only report whether the server runs, to callers whose addresses
 * are often not known.
 */
const PROBES: ReadonlySet<string> = new Set(['/_health', '/_ready']);

type Handler = (context: Context, next: () => Promise<unknown>) => unknown;

/**
 * Creates `strapi::ip`, which lets in the addresses of `whitelist` that `blacklist` leaves. The others get
 * 403 or the response of `handler`.
 */
export function createIpFilter(config: unknown): Middleware {
  const options = isRecord(config) ? config : {};
  const allowed = patternsOf(options['whitelist']);
  const denied = patternsOf(options['blacklist']) ?? [];
  const { handler } = options;
  return (context, next) => {
    const { ip, path } = context;
    if (PROBES.has(path)) return next();
    if ((allowed === null || matches(allowed, ip)) && !matches(denied, ip)) return next();
    if (typeof handler === 'function') return (handler as Handler)(context, next);
    return context.throw(403);
  };
}
