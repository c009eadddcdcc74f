import { isIPv6 } from 'node:net';
import { Address6 } from 'ip-address';
import type { AccountSettings } from '../../config/account-settings.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { Caller } from '../access.js';
import type { RateCounter } from './rate-counter.js';

/**
 * The operations about accounts whose attempts are limited, each with the field that identifies the account;
 * null if it names none.
 */
const IDENTIFIER_FIELDS = {
  login: 'identifier',
  register: null,
  forgotPassword: 'email',
  resetPassword: null,
  changePassword: null,
  confirmEmail: null,
  sendConfirmation: 'email',
  refresh: null,
  connect: null,
  providerCallback: null,
} as const satisfies Readonly<Record<string, string | null>>;

export type LimitedOperation = keyof typeof IDENTIFIER_FIELDS;

/** One attempt at an operation, over any transport. */
interface Attempt {
  readonly operation: LimitedOperation;
  /** The IP address the request came from. */
  readonly ip: string;
  /** The fields the operation itself reads. */
  readonly values: unknown;
  readonly caller: Caller | null;
}

/** Limits how often an operation about accounts is attempted, over all transports and processes together. */
export interface AttemptLimiter {
  /**
   * Counts one attempt.
   *
   * @param onRejected called with the seconds to wait, before the error is thrown
   * @throws `request/rate-limited`
   */
  readonly assertAllowed: (attempt: Attempt, onRejected?: (seconds: number) => void) => Promise<void>;
}

/** The most attempts one key may have in one interval. */
interface KeyLimit {
  readonly key: string;
  readonly max: number;
}

const SECOND_MS = 1000;

/**
 * The limit for an address is that for an account times this factor. It is enough for an office behind one
 * address and too little for guessing.
 */
const ADDRESS_FACTOR = 10;
const MAX_IDENTIFIER_LENGTH = 200;

/** Internet providers give a subscriber at least this many bits of IPv6 prefix. */
const IPV6_SUBNET = 64;

const normaliseAddress = (ip: string): string => {
  if (!isIPv6(ip)) return ip.toLowerCase();
  const address = new Address6(ip);
  return address.isMapped4()
    ? address.to4().correctForm()
    : new Address6(`${ip}/${IPV6_SUBNET}`).startAddress().correctForm();
};

const normaliseIdentifier = (value: unknown): string =>
  typeof value === 'string'
    ? value.normalize('NFKC').trim().toLowerCase().slice(0, MAX_IDENTIFIER_LENGTH)
    : '';

const identifierOf = (values: unknown, field: string): unknown =>
  isRecord(values) && Object.hasOwn(values, field) ? values[field] : undefined;

/**
 * Returns the key under which attempts on one account are counted, or null if the operation names no account.
 * The key contains only values that the operation itself reads, so that other fields and credentials cannot
 * change it. Changes of passwords count for the signed-in user, from any address.
 */
const accountKey = ({ operation, values, caller }: Attempt, addressKey: string): string | null => {
  if (operation === 'changePassword')
    return caller?.kind === 'user' ? `${operation} of user ${caller.userId}` : null;
  const field = IDENTIFIER_FIELDS[operation];
  return field === null ? null : `${addressKey} as ${normaliseIdentifier(identifierOf(values, field))}`;
};

const limitsOf = (attempt: Attempt, max: number): readonly KeyLimit[] => {
  const { operation, ip } = attempt;
  const address = `${operation} from ${normaliseAddress(ip)}`;
  const account = accountKey(attempt, address);
  const addressMax = IDENTIFIER_FIELDS[operation] === null ? max : max * ADDRESS_FACTOR;
  return [{ key: address, max: addressMax }, ...(account === null ? [] : [{ key: account, max }])];
};

/** Creates a limiter. `max` attempts are allowed per account in `interval` seconds. */
export function createAttemptLimiter(
  counter: RateCounter,
  { enabled, max, interval }: AccountSettings['rateLimit'],
): AttemptLimiter {
  if (!enabled) return { assertAllowed: async () => undefined };
  return {
    assertAllowed: async (attempt, onRejected) => {
      for (const limit of limitsOf(attempt, max)) {
        const { hits, ttl } = await counter.hit(limit.key, interval * SECOND_MS);
        if (hits <= limit.max) continue;
        const seconds = Math.ceil(ttl / SECOND_MS);
        onRejected?.(seconds);
        throw createError('request/rate-limited', { seconds });
      }
    },
  };
}
