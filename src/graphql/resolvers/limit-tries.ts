import { fail } from '../../errors/catalogue.js';
import type { GraphqlContext } from '../graphql-parts.js';

const SECOND = 1000;

/** From one address, whatever names are tried: enough for an office, not for guessing. */
const ADDRESS_FACTOR = 10;
const KEY_LENGTH = 200;

const normalise = (identifier: unknown): string => (typeof identifier === 'string' ? identifier.normalize('NFKC').trim().toLowerCase().slice(0, KEY_LENGTH) : '');

/**
 * Counts one try of an operation about accounts, by address and, where there is one, by who is tried to be. Several in one document count as many.
 *
 * @throws `request/rate-limited`
 */
export async function countTry({ parts, ip }: GraphqlContext, operation: string, identifier: unknown = null): Promise<void> {
  const { enabled, max, interval } = parts.people.settings.rateLimit;
  if (!enabled) return;
  const address = `graphql ${operation} from ${ip}`;
  const checks = identifier === null ? [{ key: address, most: max }] : [{ key: address, most: max * ADDRESS_FACTOR }, { key: `${address} as ${normalise(identifier)}`, most: max }];
  for (const { key, most } of checks) {
    const { hits, ttl } = await parts.tries.hit(key, interval * SECOND);
    if (hits > most) throw fail('request/rate-limited', { seconds: Math.ceil(ttl / SECOND) });
  }
}
