import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReadThreads } from '../../../src/database/sqlite/reads/connection.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-threads-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it('leaves no listener to the signal of a read, which would keep its result', async () => {
  const file = join(folder, 'a.db');
  new Database(file).close();
  const signals = vi.spyOn(AbortSignal, 'any');
  const threads = await createReadThreads({ url: `file:${file}`, max: 1, timeoutMs: 60_000 });
  try {
    expect(await threads.read('select 1', [], undefined)).toEqual([1]);
    const [signal] = signals.mock.results.map(({ value }) => value as AbortSignal);
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal && getEventListeners(signal, 'abort')).toEqual([]);
  } finally {
    await threads.close();
  }
});
