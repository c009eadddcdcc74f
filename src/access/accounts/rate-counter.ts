import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { defined } from '../../lib/defined.js';

/** Number of attempts in the current window. */
interface RateCount {
  readonly hits: number;
  /** Milliseconds until the window ends. */
  readonly ttl: number;
}

/** Counts attempts in the database, so that all processes count together. */
export interface RateCounter {
  /** Counts one attempt and returns how many there were. `window` is in milliseconds. */
  readonly hit: (key: string, window: number) => Promise<RateCount>;
  /** Subtracts one attempt from each key whose window has not ended. */
  readonly subtract: (keys: readonly string[]) => Promise<void>;
}

/** The number of attempts after which windows that have ended are deleted. */
const SWEEP_EVERY = 100;

/** Keys contain names and addresses of people, so only their hash is stored. */
const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Creates a counter of attempts. A window begins with a key's first attempt and has a fixed length. */
export function createRateCounter(database: Database, now: () => number = Date.now): RateCounter {
  const { expressions } = database.dialect;
  const bigintParameter = (value: number) =>
    expressions.parameter('bigint', expressions.encode('bigint', BigInt(value)));
  const keyParameter = (key: string) =>
    expressions.parameter('text', expressions.encode('text', hashKey(key)));
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
