import { LRUCache } from 'lru-cache';

/** A statement that took longer is slow. */
const SLOW_MS = 5;
/** A statement is quick again that took less many times. Between the two, it stays what it is. */
const QUICK_MS = 2;
/** A busy machine makes single runs slow. */
const SLOW_RUNS = 2;
const QUICK_RUNS = 16;
const MAX_STATEMENTS = 500;

/** Pragmas are about the connection that runs them. */
const MOVABLE = /^\s*(select|with)\b/i;

interface History {
  slowRuns: number;
  quickRuns: number;
  isSlow: boolean;
}

/** Remembers which statements run long. Quick ones, which nearly all are, leave no trace. */
export interface SlowStatements {
  readonly isSlow: (sql: string) => boolean;
  /** Notes how long a run took. */
  readonly record: (sql: string, ms: number) => void;
  /** Notes that a statement was ended because it ran too long. */
  readonly recordEnded: (sql: string) => void;
}

export function createSlowStatements(): SlowStatements {
  const histories = new LRUCache<string, History>({ max: MAX_STATEMENTS });
  const recordSlow = (sql: string, history: History | undefined, isSlow: boolean): void => {
    if (!MOVABLE.test(sql)) return;
    const slowRuns = (history?.slowRuns ?? 0) + 1;
    histories.set(sql, { slowRuns, quickRuns: 0, isSlow: isSlow || slowRuns >= SLOW_RUNS });
  };
  return {
    isSlow: (sql) => histories.size > 0 && histories.get(sql)?.isSlow === true,
    record: (sql, ms) => {
      if (histories.size === 0 && ms < SLOW_MS) return;
      const history = histories.get(sql);
      if (ms >= SLOW_MS) recordSlow(sql, history, history?.isSlow === true);
      else if (history !== undefined && ms < QUICK_MS) {
        history.quickRuns += 1;
        if (!history.isSlow || history.quickRuns >= QUICK_RUNS) histories.delete(sql);
      }
    },
    recordEnded: (sql) => recordSlow(sql, histories.get(sql), true),
  };
}
