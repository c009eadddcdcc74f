import type { Worker } from 'node:worker_threads';
import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { assertNever } from '../../../lib/assert-never.js';
import type { PoolUse } from '../../../lib/pool-use.js';
import type { Requester } from '../../../lib/requester.js';
import { OverBudget, toBudgetError } from '../functions.js';
import { ENDED, RUNNING } from './messages.js';
import type { ReadReply, ReadStatement, SentError } from './messages.js';
import { LONG_MS } from './slow-statements.js';
import { startReadThread } from './start-thread.js';

/** Reads of a kind that wait for a thread. Beyond it they are refused, so that memory stays flat. */
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
   * Long reads leave one thread to the others, where there are several.
   *
   * @throws `request/abandoned` where the requester leaves
   * @throws `database/read-timeout` where the read takes too long
   * @throws `database/busy` where too many others wait, or it has waited too long itself
   */
  run(statement: ReadStatement, isLong: boolean, requester?: Requester): Promise<ReadReply>;
  use(): PoolUse;
  close(): Promise<void>;
}

interface Task {
  readonly statement: ReadStatement;
  isLong: boolean;
  /** Whether it was ended to run again as a long one. */
  isPutOff: boolean;
  readonly resolve: (reply: ReadReply) => void;
  readonly reject: (error: unknown) => void;
  /** Runs while it is not known whether the task is long. */
  longTimer: NodeJS.Timeout | undefined;
}

interface Thread {
  readonly worker: Worker;
  readonly state: Int32Array<SharedArrayBuffer>;
  task: Task | null;
}

const toError = (sent: SentError): unknown => {
  switch (sent.kind) {
    case 'over-budget':
      return toBudgetError(new OverBudget(sent.limit, sent.branch));
    case 'driver':
      return Object.assign(new Error(sent.message), { code: sent.code });
    case 'ended':
      return new Error('The read was ended');
    default:
      return assertNever(sent, 'error of a thread');
  }
};

const closedError = (): Error => new TypeError('The database connection is not open');

class ReadThreadPool implements ReadThreads {
  readonly #options: ReadThreadsOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];
  #isClosed = false;

  constructor(options: ReadThreadsOptions) {
    this.#options = options;
  }

  use(): PoolUse {
    const idle = [...this.#threads].filter(({ task }) => task === null).length;
    return { open: this.#threads.size, idle, waiting: this.#waiting.length };
  }

  run(statement: ReadStatement, isLong: boolean, requester?: Requester): Promise<ReadReply> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closedError());
      if (this.#waiting.filter((task) => task.isLong === isLong).length >= MAX_WAITING)
        return reject(createError('database/busy'));
      const { timeoutMs } = this.#options;
      const timer = timeoutMs === null ? undefined : setTimeout(() => this.#expire(task), timeoutMs);
      let stopListening = (): void => undefined;
      const stop = (): void => {
        clearTimeout(timer);
        stopListening();
      };
      const task: Task = {
        statement,
        isLong,
        isPutOff: false,
        resolve: (reply) => {
          stop();
          resolve(reply);
        },
        reject: (error) => {
          stop();
          reject(error);
        },
        longTimer: undefined,
      };
      this.#waiting.push(task);
      if (requester !== undefined)
        stopListening = requester.onLeave(() => this.#end(task, createError('request/abandoned')));
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#waiting.splice(0)) task.reject(closedError());
    for (const { state } of this.#threads) Atomics.store(state, 0, ENDED);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #expire(task: Task): void {
    const isWaiting = this.#waiting.includes(task);
    const { timeoutMs: ms } = this.#options;
    this.#end(task, isWaiting ? createError('database/busy') : createError('database/read-timeout', { ms }));
  }

  /** The client is answered at once; the thread is free when its statement has noticed. */
  #end(task: Task, error: GalleyError): void {
    const thread = [...this.#threads].find((each) => each.task === task);
    if (thread === undefined) this.#waiting.splice(this.#waiting.indexOf(task), 1);
    else {
      clearTimeout(task.longTimer);
      task.isPutOff = false;
      Atomics.store(thread.state, 0, ENDED);
    }
    task.reject(error);
  }

  #start(): Thread {
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = startReadThread({ url: this.#options.url, state });
    const thread: Thread = { worker, state, task: null };
    const remove = (error: unknown): void => {
      this.#threads.delete(thread);
      this.#finish(thread, (task) => task.reject(error));
    };
    worker.on('message', (reply: ReadReply) => this.#finish(thread, (task) => this.#settle(task, reply)));
    worker.on('error', remove);
    worker.on('exit', () => remove(new Error('The thread that read has ended')));
    this.#threads.add(thread);
    return thread;
  }

  #settle(task: Task, { ms, result }: ReadReply): void {
    if (result.kind !== 'error') task.resolve({ ms, result });
    else if (task.isPutOff && result.error.kind === 'ended' && !this.#isClosed) {
      task.isPutOff = false;
      this.#waiting.push(task);
    } else task.reject(toError(result.error));
  }

  /** Ends a read that took too long for a thread that is left to short ones. It runs again as a long one. */
  #putOff(thread: Thread, task: Task): void {
    task.isLong = true;
    task.isPutOff = true;
    Atomics.store(thread.state, 0, ENDED);
  }

  #finish(thread: Thread, settle: (task: Task) => void): void {
    const { task } = thread;
    thread.task = null;
    thread.worker.unref();
    if (task !== null) {
      clearTimeout(task.longTimer);
      settle(task);
    }
    this.#dispatch();
  }

  #idleThread(): Thread | null {
    const idle = [...this.#threads].find(({ task }) => task === null);
    return idle ?? (this.#threads.size < this.#options.max ? this.#start() : null);
  }

  /** Returns the task to run next. Null: none that may. */
  #nextTask(): Task | null {
    const short = this.#waiting.find(({ isLong }) => !isLong);
    if (short !== undefined) return short;
    const long = [...this.#threads].filter(({ task }) => task?.isLong === true).length;
    return long < Math.max(1, this.#options.max - 1) ? (this.#waiting[0] ?? null) : null;
  }

  #dispatch(): void {
    while (!this.#isClosed) {
      const task = this.#nextTask();
      const thread = task === null ? null : this.#idleThread();
      if (task === null || thread === null) return;
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      thread.task = task;
      Atomics.store(thread.state, 0, RUNNING);
      thread.worker.ref();
      if (!task.isLong && this.#options.max > 1)
        task.longTimer = setTimeout(() => this.#putOff(thread, task), LONG_MS);
      thread.worker.postMessage(task.statement);
    }
  }
}

/** Creates a pool. It starts no thread before the first read, and keeps no process from ending. */
export function createReadThreads(options: ReadThreadsOptions): ReadThreads {
  return new ReadThreadPool(options);
}
