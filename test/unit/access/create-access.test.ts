import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TokenRecord } from '../../../src/access/access.js';
import { createUsageRecorder } from '../../../src/access/create-access.js';
import type { Database } from '../../../src/database/database.js';

const token = (id: number): TokenRecord => ({
  id,
  name: `t${id}`,
  description: null,
  type: 'read-only',
  permissions: [],
  expiresAt: null,
  lastUsedAt: null,
  createdAt: '',
  updatedAt: '',
});

describe('the usage recorder', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Returns a database whose transactions end when the test says so. */
  const slowDatabase = () => {
    let finish: () => void = () => undefined;
    const transact = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    return { database: { transact } as unknown as Database, transact, finish: () => finish() };
  };

  it('waits for a write in progress when it closes', async () => {
    const { database, transact, finish } = slowDatabase();
    const recorder = createUsageRecorder(database, () => undefined);
    recorder.record(token(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect(transact).toHaveBeenCalledTimes(1);
    const closed = vi.fn();
    const closing = recorder.close().then(closed);
    await vi.advanceTimersByTimeAsync(0);
    expect(closed).not.toHaveBeenCalled();
    finish();
    await closing;
    expect(transact).toHaveBeenCalledTimes(1);
  });

  it('writes at most once a minute per token, in batches', async () => {
    const transact = vi.fn(async () => undefined);
    const recorder = createUsageRecorder({ transact } as unknown as Database, () => undefined);
    for (let use = 0; use < 100; use++) for (const id of [1, 2, 3]) recorder.record(token(id));
    await vi.advanceTimersByTimeAsync(30_000);
    recorder.record(token(1));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(transact).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(20_000);
    recorder.record(token(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect(transact).toHaveBeenCalledTimes(2);
    await recorder.close();
  });

  it('reports a failed write and goes on', async () => {
    const errors: unknown[] = [];
    const recorder = createUsageRecorder(
      { transact: () => Promise.reject(new Error('gone')) } as unknown as Database,
      (error) => errors.push(error),
    );
    recorder.record(token(1));
    await recorder.close();
    expect(errors).toHaveLength(1);
  });
});
