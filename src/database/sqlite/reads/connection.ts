import { createError } from '../../../errors/catalogue.js';
import type { ReadConnection, ReadOptions } from '../../dialect/database-driver.js';
import { SEARCH_PREFIX } from '../../dialect/search-expressions.js';
import type { SqlExpressions } from '../../dialect/sql-expressions.js';
import { toBudgetError } from '../functions.js';
import { openSqliteReader } from './reader.js';
import { createReadThreads } from './threads.js';
import type { ReadThreads } from './threads.js';

/** A read that blocks the event loop for longer is ended, and run again by another thread. */
const MAX_BLOCKING_MS = 8;

/** Thrown within a statement that blocks the event loop for too long. Never reported, so created once. */
const BLOCKING = new Error('The statement blocks the event loop');

/** Begins the name of a full-text index in a statement. */
const SEARCH_INDEX = `"${SEARCH_PREFIX}`;

const asTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const asNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new TypeError('The statement returned no number');
  return value;
};

/**
 * Opens the file a second time, so that reads see only committed data. A read runs in this thread, which is
 * fastest. A read that blocks it for too long moves to another thread, if there are any. Searches always run
 * there, because FTS5 cannot be ended.
 */
export async function openSqliteReadConnection(
  url: string,
  expressions: SqlExpressions,
  { threads: max, timeoutMs }: ReadOptions,
): Promise<ReadConnection> {
  let deadline = Number.POSITIVE_INFINITY;
  const reader = await openSqliteReader(url, () => {
    if (performance.now() > deadline) throw BLOCKING;
  });
  const threads = max === 0 ? null : await createReadThreads({ url, max, timeoutMs });
  const blockingMs = threads === null ? (timeoutMs ?? Number.POSITIVE_INFINITY) : MAX_BLOCKING_MS;
  const read: ReadThreads['read'] = async (sql, parameters, signal) => {
    if (threads !== null && sql.includes(SEARCH_INDEX)) return threads.read(sql, parameters, signal);
    deadline = performance.now() + blockingMs;
    try {
      return reader.read(sql, parameters);
    } catch (error) {
      if (error !== BLOCKING) throw toBudgetError(error);
    }
    if (threads === null) throw createError('database/read-timeout', { ms: timeoutMs });
    return threads.read(sql, parameters, signal);
  };
  return {
    expressions,
    queryTexts: async (sql, parameters, signal) => (await read(sql, parameters, signal)).map(asTextOrNull),
    queryNumber: async (sql, parameters, signal) => asNumber((await read(sql, parameters, signal))[0]),
    use: () => threads?.use() ?? { open: 0, idle: 0, waiting: 0 },
    close: async () => {
      await threads?.close();
      reader.close();
    },
  };
}
