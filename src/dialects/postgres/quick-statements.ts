import { LRUCache } from 'lru-cache';

/** The waiting for a connection counts, since nothing is lost if a statement passes for slow. */
const QUICK_MS = 50;
const MAX_STATEMENTS = 500;

/** Knows the statements that took little time whenever they ran. */
export interface QuickStatements {
  /** Runs a statement, which is told whether it was quick the last time. */
  readonly time: <T>(sql: string, run: (isQuick: boolean) => Promise<T>) => Promise<T>;
}

export function createQuickStatements(): QuickStatements {
  const quick = new LRUCache<string, true>({ max: MAX_STATEMENTS });
  return {
    time: async (sql, run) => {
      const startedAt = performance.now();
      const result = await run(quick.has(sql));
      if (performance.now() - startedAt < QUICK_MS) quick.set(sql, true);
      else quick.delete(sql);
      return result;
    },
  };
}
