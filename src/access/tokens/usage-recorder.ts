import type { Database } from '../../database/database.js';
import type { TokenRecord } from '../access.js';

const MINUTE_MS = 60_000;
const WRITE_DELAY_MS = 1000;

export interface UsageRecorder {
  /** Notes a use of a token, to be stored later. */
  readonly record: (token: TokenRecord) => void;
  /** Stores what is pending. */
  readonly close: () => Promise<void>;
}

/**
 * Stores when tokens were last used, to the minute: at most one write per token and minute, after the
 * response. A failed write is reported and dropped; the next use writes again.
 */
export function createUsageRecorder(database: Database, onError: (error: unknown) => void): UsageRecorder {
  const lastRecordedAt = new Map<number, number>();
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
          // Using a token does not change it, so `updatedAt` stays.
          const data = { lastUsedAt: new Date(usedAt).toISOString(), updatedAt: token.updatedAt };
          await tx.model('ApiToken').updateMany({ where: { id: token.id }, data });
        }
      })
      .catch(onError);
  };

  /** Also waits for a write in progress, so that the database is not closed during it. */
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };

  return {
    record: (token) => {
      const now = Date.now();
      if (now - (lastRecordedAt.get(token.id) ?? 0) < MINUTE_MS) return;
      lastRecordedAt.set(token.id, now);
      pending.set(token.id, { token, usedAt: now });
      timer ??= setTimeout(() => void flush(), WRITE_DELAY_MS).unref();
    },
    close: flush,
  };
}
