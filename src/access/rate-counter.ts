import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.js';

/** How often something was tried in the present window. */
export interface RateCount {
  readonly hits: number;
  /** Milliseconds to the window's end. */
  readonly ttl: number;
}

/** Counts tries in the database, so that all processes count together. */
export interface RateCounter {
  /** Counts one try and tells how many there were. `window` is in milliseconds. */
  readonly hit: (key: string, window: number) => Promise<RateCount>;
}

/** Windows that are over are removed once in so many tries. */
const SWEEP = 100;

/** Keys hold names and addresses of people; what is stored of them tells neither. */
const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

export function createRateCounter(database: Database, now: () => number = Date.now): RateCounter {
  const { dialect } = database;
  let tries = 0;
  const hit = async (key: string, window: number): Promise<RateCount> => {
    const time = now();
    const big = (value: number) => dialect.parameter('bigint', dialect.encode('bigint', BigInt(value)));
    const text = dialect.parameter('text', dialect.encode('text', hashKey(key)));
    const isOver = sql`cms_rate_limits.reset_at <= ${big(time)}`;
    const statement = sql`insert into cms_rate_limits (key, hits, reset_at) values (${text}, 1, ${big(time + window)})
      on conflict (key) do update set hits = case when ${isOver} then 1 else cms_rate_limits.hits + 1 end,
      reset_at = case when ${isOver} then ${big(time + window)} else cms_rate_limits.reset_at end
      returning hits, reset_at`.compile(dialect.kysely);
    const sweep = sql`delete from cms_rate_limits where reset_at <= ${big(time)}`.compile(dialect.kysely);
    tries += 1;
    const isSweeping = tries % SWEEP === 0;
    const [row] = await database.transact(async (tx) => {
      if (isSweeping) await tx.execute(sweep.sql, sweep.parameters);
      return tx.query(statement.sql, statement.parameters);
    });
    return { hits: Number(row?.['hits']), ttl: Math.max(0, Number(row?.['reset_at']) - time) };
  };
  return { hit };
}
