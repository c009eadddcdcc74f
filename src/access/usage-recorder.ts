import type { Database } from '../database/database.js';
import type { TokenRecord } from './access.js';

const MINUTE = 60_000;
const DELAY = 1000;

export interface UsageRecorder {
  readonly record: (token: TokenRecord) => void;
  readonly close: () => Promise<void>;
}

/**
 * Keeps when tokens were last used, to the minute: at most one write per token and minute, never in a request's way.
 * A failed write is reported and forgotten; the next use tries again.
 */
export function createUsageRecorder(database: Database, onError: (error: unknown) => void): UsageRecorder {
  const recorded = new Map<number, number>();
  const pending = new Map<number, { readonly token: TokenRecord; readonly usedAt: number }>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = [...pending.values()];
    pending.clear();
    if (batch.length === 0) return;
    await database
      .transact(async (tx) => {
        for (const { token, usedAt } of batch) {
          // Being used is no change of the token: its own time of change stays.
          const data = { lastUsedAt: new Date(usedAt).toISOString(), updatedAt: token.updatedAt };
          await tx.model('ApiToken').updateMany({ where: { id: token.id }, data });
        }
      })
      .catch(onError);
  };

  /** Also waits for what is being written already, so that nobody closes the database under it. */
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };

  return {
    record: (token) => {
      const now = Date.now();
      if (now - (recorded.get(token.id) ?? 0) < MINUTE) return;
      recorded.set(token.id, now);
      pending.set(token.id, { token, usedAt: now });
      timer ??= setTimeout(() => void flush(), DELAY).unref();
    },
    close: flush,
  };
}
