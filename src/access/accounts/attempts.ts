import { isIPv6 } from 'node:net';
import { Address6 } from 'ip-address';
import { sql } from 'kysely';
import type { AccountSettings } from '../../config/account-settings.js';
import type { Database } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { sha256Hex } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import { SECOND_MS } from '../../lib/units.js';
import type { Caller } from '../access.js';

/** Number of attempts in the current window. */
interface RateCount {
  readonly hits: number;
  /** Milliseconds until the window ends. */
  readonly ttl: number;
}

/** Counts attempts in the database, so that all processes share the count. */
interface RateCounter {
  /** Counts one attempt and returns the number in the window. `window` is in milliseconds. */
  readonly hit: (key: string, window: number) => Promise<RateCount>;
  /** Subtracts one attempt from each key whose window has not ended. */
  readonly subtract: (keys: readonly string[]) => Promise<void>;
}

/** Ended windows are deleted after every this many attempts. */
const SWEEP_EVERY = 100;

/** Keys contain names and addresses of people, so only their hashes are stored. */
/** Creates a counter of attempts. A window begins with a key's first attempt and has a fixed length. */
export function createRateCounter(database: Database, now: () => number = Date.now): RateCounter {
  const { expressions } = database.dialect;
  const bigintParameter = (value: number) =>
    expressions.parameter('bigint', expressions.encode('bigint', BigInt(value)));
  const keyParameter = (key: string) =>
    expressions.parameter('text', expressions.encode('text', sha256Hex(key)));
  let attempts = 0;
  const hit = async (key: string, window: number): Promise<RateCount> => {
    const time = now();
    const isExpired = sql`cms_rate_limits.reset_at <= ${bigintParameter(time)}`;
    const resetAt = bigintParameter(time + window);
    const statement = sql`
      insert into cms_rate_limits (key, hits, reset_at) values (${keyParameter(key)}, 1, ${resetAt})
      on conflict (key) do update set
        hits = case when ${isExpired} then 1 else cms_rate_limits.hits + 1 end,
        reset_at = case when ${isExpired} then ${resetAt} else cms_rate_limits.reset_at end
      returning hits, reset_at
    `.compile(expressions.kysely);
    const sweep = sql`delete from cms_rate_limits where reset_at <= ${bigintParameter(time)}`.compile(
      expressions.kysely,
    );
    attempts += 1;
    const isSweeping = attempts % SWEEP_EVERY === 0;
    const rows = await database.transact(async (tx) => {
      if (isSweeping) await tx.execute(sweep.sql, sweep.parameters);
      return tx.query(statement.sql, statement.parameters);
    });
    const row = defined(rows[0], 'the row of a rate limit');
    return { hits: Number(row['hits']), ttl: Math.max(0, Number(row['reset_at']) - time) };
  };
  const subtract = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const statement = sql`
      update cms_rate_limits set hits = hits - 1
      where key in (${sql.join(keys.map(keyParameter))}) and hits > 0 and reset_at > ${bigintParameter(now())}
    `.compile(expressions.kysely);
    await database.transact((tx) => tx.execute(statement.sql, statement.parameters));
  };
  return { hit, subtract };
}

/**
 * The operations about accounts whose attempts are limited, each with the field that identifies the account;
 * null if there is none.
 */
const IDENTIFIER_FIELDS = {
  login: 'identifier',
  register: 'email',
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

/** An attempt that is counted as a failure until it succeeds. */
export interface CountedAttempt {
  /** Subtracts the attempt from the failures. Does nothing for operations that always succeed. */
  readonly succeeded: () => Promise<void>;
}

/** Limits the attempts at operations about accounts, over all transports and processes. */
export interface AttemptLimiter {
  /**
   * Counts one attempt.
   *
   * @param onRejected called with the seconds to wait, before the error is thrown
   * @throws `request/rate-limited`
   */
  readonly begin: (attempt: Attempt, onRejected?: (seconds: number) => void) => Promise<CountedAttempt>;
}

/** The maximum number of attempts for one key in one interval. */
interface KeyLimit {
  readonly key: string;
  readonly max: number;
  /** True if only failures count. */
  readonly failures: boolean;
}

/**
 * Factor between the limits of failures for an account and for an address. It suffices for an office behind
 * one address, and is too low for guessing.
 */
const FAILURE_FACTOR = 10;
/** Factor for all attempts from one address, which all visitors of a server-rendered site share. */
const ATTEMPT_FACTOR = 1000;
/** Operations with the same response whether or not an account exists. Each attempt counts as a failure. */
const ALWAYS_SUCCEEDING: ReadonlySet<LimitedOperation> = new Set(['forgotPassword', 'sendConfirmation']);
const MAX_IDENTIFIER_LENGTH = 200;

/** The longest IPv6 prefix that Internet providers assign to a subscriber, in bits. */
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
 * Returns the key under which attempts on one account are counted, or null if the operation has no account.
 * The key contains only values that the operation reads, so that other fields and credentials cannot change
 * it. Changes of passwords count for the signed-in user, from any address.
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
  const failures = !ALWAYS_SUCCEEDING.has(operation);
  return [
    { key: `any ${address}`, max: max * ATTEMPT_FACTOR, failures: false },
    { key: address, max: max * FAILURE_FACTOR, failures },
    ...(account === null ? [] : [{ key: account, max, failures }]),
  ];
};

const UNLIMITED: CountedAttempt = { succeeded: async () => undefined };

/** Creates a limiter. `max` failures are allowed per account in `interval` seconds. */
export function createAttemptLimiter(
  counter: RateCounter,
  { enabled, max, interval }: AccountSettings['rateLimit'],
): AttemptLimiter {
  if (!enabled) return { begin: async () => UNLIMITED };
  return {
    begin: async (attempt, onRejected) => {
      const limits = limitsOf(attempt, max);
      for (const limit of limits) {
        const { hits, ttl } = await counter.hit(limit.key, interval * SECOND_MS);
        if (hits <= limit.max) continue;
        const seconds = Math.ceil(ttl / SECOND_MS);
        onRejected?.(seconds);
        throw createError('request/rate-limited', { seconds });
      }
      const failureKeys = limits.filter(({ failures }) => failures).map(({ key }) => key);
      return { succeeded: () => counter.subtract(failureKeys) };
    },
  };
}
