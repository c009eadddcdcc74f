import { normalizeIP } from '@fastify/rate-limit';
import { addressKey, personKey, tryLimits } from '../../access/tries.js';
import type { Try, TriedOperation } from '../../access/tries.js';
import { fail } from '../../errors/catalogue.js';
import type { GraphqlContext } from '../graphql-parts.js';

const SECOND = 1000;

/**
 * Counts one try of an operation about accounts, together with those that came by other transports. Several in one document count as many.
 *
 * @throws `request/rate-limited`
 */
export async function countTry({ parts, ip, caller }: GraphqlContext, operation: TriedOperation, values: unknown): Promise<void> {
  const { enabled, max, interval } = parts.people.settings.rateLimit;
  if (!enabled) return;
  const made: Try = { operation, address: normalizeIP(ip), values, caller };
  const limits = tryLimits(operation, max);
  const checks = [{ key: addressKey(made), most: limits.address }, { key: personKey(made), most: limits.person }];
  for (const { key, most } of checks) {
    if (key === null) continue;
    const { hits, ttl } = await parts.tries.hit(key, interval * SECOND);
    if (hits > most) throw fail('request/rate-limited', { seconds: Math.ceil(ttl / SECOND) });
  }
}
