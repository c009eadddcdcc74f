import { LRUCache } from 'lru-cache';

/** A statement that took longer is slow. */
const SLOW_MS = 5;
/** A statement is quick again that took less many times. Between the two, it stays what it is. */
const QUICK_MS = 2;
/** A busy machine makes single runs slow, but not as slow as those that take very long. */
const SLOW_RUNS = 2;
const QUICK_RUNS = 16;
const MAX_STATEMENTS = 500;

/** Pragmas are about the connection that runs them. */
const MOVABLE = /^\s*(select|with)\b/i;

/** Reads that took longer may not have all threads. */
export const LONG_MS = 100;

interface History {
  slowRuns: number;
  quickRuns: number;
  isSlow: boolean;
  /** Of the last run that came to its end. */
  ms: number;
}

/** Remembers which statements run long. Quick ones, which nearly all are, leave no trace. */
export interface SlowStatements {
  readonly isSlow: (sql: string) => boolean;
  /** Whether a slow statement took very long the last time. */
  readonly isLong: (sql: string) => boolean;
  /** Notes how long a run took. */
  readonly record: (sql: string, ms: number) => void;
  /** Notes that a statement was ended because it ran too long. */
  readonly recordEnded: (sql: string) => void;
}

export function createSlowStatements(): SlowStatements {
  const histories = new LRUCache<string, History>({ max: MAX_STATEMENTS });
  const recordSlow = (sql: string, history: History | undefined, ms: number): void => {
    if (!MOVABLE.test(sql)) return;
    const slowRuns = (history?.slowRuns ?? 0) + 1;
    const isSlow = history?.isSlow === true || slowRuns >= SLOW_RUNS || ms >= LONG_MS;
    histories.set(sql, { slowRuns, quickRuns: 0, isSlow, ms });
  };
  return {
    isLong: (sql) => (histories.get(sql)?.ms ?? 0) >= LONG_MS,
    isSlow: (sql) => histories.size > 0 && histories.get(sql)?.isSlow === true,
    record: (sql, ms) => {
      if (histories.size === 0 && ms < SLOW_MS) return;
      const history = histories.get(sql);
      if (ms >= SLOW_MS) return recordSlow(sql, history, ms);
      if (history === undefined) return;
      history.ms = ms;
      if (ms >= QUICK_MS) return;
      history.quickRuns += 1;
      if (!history.isSlow || history.quickRuns >= QUICK_RUNS) histories.delete(sql);
    },
    recordEnded: (sql) => {
      const { ms = 0, slowRuns = 0 } = histories.get(sql) ?? {};
      histories.set(sql, { slowRuns: slowRuns + 1, quickRuns: 0, isSlow: true, ms });
    },
  };
}
