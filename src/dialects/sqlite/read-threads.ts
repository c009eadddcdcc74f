import type { Worker } from 'node:worker_threads';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/defined.js';
import { OverBudget, toBudgetError } from './functions.js';
import { ENDED, RUNNING } from './read-messages.js';
import type { ReadReply, ReadStatement, SentError } from './read-messages.js';
import { startReadThread } from './start-read-thread.js';

/** Reads that wait for a thread. Beyond it they are refused, so that memory stays flat. */
const MAX_WAITING = 64;

export interface ReadThreadsOptions {
  readonly url: string;
  /** The most threads. They are started when they are needed. */
  readonly max: number;
  /** How long a read may wait and run. Null: as long as it takes. */
  readonly timeoutMs: number | null;
}

/** Threads that read on connections of their own, while this thread does other things. */
export interface ReadThreads {
  /**
   * @throws `database/read-timeout` where the read takes too long
   * @throws `database/busy` where too many others wait, or it has waited too long itself
   */
  readonly run: (statement: ReadStatement) => Promise<ReadReply>;
  readonly close: () => Promise<void>;
}

interface Task {
  readonly statement: ReadStatement;
  readonly resolve: (reply: ReadReply) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
}

interface Thread {
  readonly worker: Worker;
  readonly state: Int32Array<SharedArrayBuffer>;
  task: Task | null;
}

const toError = (sent: SentError): unknown =>
  sent.kind === 'over-budget'
    ? toBudgetError(new OverBudget(sent.limit, sent.branch))
    : Object.assign(new Error(sent.message), { code: sent.code });

/** Creates a pool. It starts no thread before the first read, and keeps no process from ending. */
export function createReadThreads({ url, max, timeoutMs }: ReadThreadsOptions): ReadThreads {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let isClosed = false;

  const finish = (thread: Thread, settle: (task: Task) => void): void => {
    const { task } = thread;
    thread.task = null;
    thread.worker.unref();
    if (task === null) return;
    clearTimeout(task.timer);
    settle(task);
  };
  const start = (): Thread => {
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const thread: Thread = { worker: startReadThread({ url, state }), state, task: null };
    const remove = (error: unknown): void => {
      threads.delete(thread);
      finish(thread, (task) => task.reject(error));
      dispatch();
    };
    thread.worker.on('message', ({ ms, result }: ReadReply) => {
      finish(thread, (task) => {
        if (result.kind === 'error') task.reject(toError(result.error));
        else task.resolve({ ms, result });
      });
      dispatch();
    });
    thread.worker.on('error', remove);
    thread.worker.on('exit', () => remove(new Error('The thread that read has ended')));
    threads.add(thread);
    return thread;
  };
  const idleThread = (): Thread | null => {
    const idle = [...threads].find(({ task }) => task === null);
    return idle ?? (threads.size < max ? start() : null);
  };
  const dispatch = (): void => {
    while (!isClosed && waiting.length > 0) {
      const thread = idleThread();
      if (thread === null) return;
      thread.task = defined(waiting.shift(), 'a waiting read');
      Atomics.store(thread.state, 0, RUNNING);
      thread.worker.ref();
      thread.worker.postMessage(thread.task.statement);
    }
  };
  /** The client is answered at once; the thread is free when its statement has noticed. */
  const end = (task: Task): void => {
    const thread = [...threads].find((each) => each.task === task);
    if (thread === undefined) {
      waiting.splice(waiting.indexOf(task), 1);
      task.reject(createError('database/busy'));
    } else {
      Atomics.store(thread.state, 0, ENDED);
      task.reject(createError('database/read-timeout', { ms: timeoutMs }));
    }
  };
  return {
    run: (statement) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new TypeError('The database connection is not open'));
        if (waiting.length >= MAX_WAITING) return reject(createError('database/busy'));
        const task: Task = { statement, resolve, reject, timer: undefined };
        if (timeoutMs !== null) task.timer = setTimeout(() => end(task), timeoutMs);
        waiting.push(task);
        dispatch();
      }),
    close: async () => {
      isClosed = true;
      for (const task of waiting.splice(0)) {
        clearTimeout(task.timer);
        task.reject(new TypeError('The database connection is not open'));
      }
      for (const { state } of threads) Atomics.store(state, 0, ENDED);
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
