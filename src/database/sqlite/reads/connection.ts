import { fileURLToPath } from 'node:url';
import { createError } from '../../../errors/catalogue.js';
import type { LazySignal, PoolUse } from '../../../lib/resources.js';
import type { ReadConnection, ReadOptions } from '../../dialect/database-driver.js';
import { SEARCH_PREFIX } from '../../dialect/search-expressions.js';
import type { SqlExpressions, BoundValue } from '../../dialect/sql-expressions.js';
import { toBudgetError, OverBudget } from '../functions.js';
import { openSqliteReader } from './reader.js';
import { readInThread, ReadState } from './thread.js';
import type { ThreadRead, ThreadReply } from './thread.js';

/** Maximum number of reads that wait for a thread. Further reads are rejected, which bounds memory. */
const MAX_WAITING = 64;

/** A thread that reads nothing for this long ends. */
const IDLE_MS = 60_000;

interface ReadThreadsOptions {
  readonly url: string;
  /** The most threads. They are started when they are needed. */
  readonly max: number;
  /** Time limit of a read, including its wait. Null: no limit. */
  readonly timeoutMs: number | null;
}

/** Threads that read on separate connections, so that this thread stays free. */
interface ReadThreads {
  /**
   * Returns the first column of every row.
   *
   * @throws `request/abandoned` where the signal aborts
   * @throws `database/read-timeout` where the read takes too long
   * @throws `database/busy` if too many reads wait, or this one has waited too long
   */
  readonly read: (
    sql: string,
    parameters: readonly BoundValue[],
    signal: LazySignal | undefined,
  ) => Promise<readonly unknown[]>;
  readonly use: () => PoolUse;
  readonly close: () => Promise<void>;
}

/** Node cannot load the sources themselves in a thread: there, jiti does, as it does for projects' files. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const FILE = fileURLToPath(new URL(`./thread.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url));
const EXEC_ARGV = IS_SOURCE ? ['--import', import.meta.resolve('jiti/register')] : [];

const replyValues = (reply: ThreadReply): readonly unknown[] => {
  if ('values' in reply) return reply.values;
  if ('error' in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
  throw toBudgetError(new OverBudget(reply.overBudget.limit, reply.overBudget.branch));
};

/** Creates a pool. It starts no thread before the first read, and keeps no process from ending. */
export async function createReadThreads({ url, max, timeoutMs }: ReadThreadsOptions): Promise<ReadThreads> {
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    filename: FILE,
    name: readInThread.name,
    minThreads: 0,
    maxThreads: max,
    idleTimeout: IDLE_MS,
    execArgv: EXEC_ARGV,
  });
  // A thread that fails without a read is replaced. Without a listener, the event would end the process.
  pool.on('error', () => undefined);
  let reads = 0;
  const run = async (task: ThreadRead): Promise<readonly unknown[]> => {
    reads += 1;
    try {
      return replyValues((await pool.run(task)) as ThreadReply);
    } finally {
      reads -= 1;
    }
  };
  return {
    read: async (sql, parameters, signal) => {
      if (pool.queueSize >= MAX_WAITING) throw createError('database/busy');
      const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
      const left = signal?.();
      const ending = AbortSignal.any([left, timeout].filter((each) => each !== undefined));
      const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      /** The client gets its error immediately; the thread is free once its statement has ended. */
      const endRead = (): Error => {
        const before = Atomics.exchange(state, 0, ReadState.ended);
        if (left?.aborted === true) return createError('request/abandoned');
        return before === ReadState.waiting
          ? createError('database/busy')
          : createError('database/read-timeout', { ms: timeoutMs });
      };
      if (ending.aborted) throw endRead();
      let abort = (): void => undefined;
      const ended = new Promise<never>((_, reject) => {
        abort = () => reject(endRead());
        ending.addEventListener('abort', abort, { once: true });
      });
      try {
        return await Promise.race([run({ url, sql, parameters, state }), ended]);
      } finally {
        // Otherwise the signal would keep the result until its timeout.
        ending.removeEventListener('abort', abort);
      }
    },
    use: () => {
      const [open, waiting] = [pool.threads.length, pool.queueSize];
      return { open, idle: Math.max(open - (reads - waiting), 0), waiting };
    },
    close: () => pool.destroy(),
  };
}

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
