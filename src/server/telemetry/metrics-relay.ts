import cluster from 'node:cluster';
import { isRecord } from '../../lib/records.js';

/**
 * Message between workers and their primary process, by which any worker can report the figures of all: it
 * sends `ask`, the primary sends `count` to each worker, and returns the `counted` figures as `all`.
 */
export type MetricsMessage =
  | { readonly metrics: 'ask' | 'count'; readonly id: number }
  | { readonly metrics: 'counted'; readonly id: number; readonly figures: unknown }
  | { readonly metrics: 'all'; readonly id: number; readonly figures: readonly unknown[] };

/** True if a message between processes is one of these. Only own processes can send any. */
function isMetricsMessage(message: unknown): message is MetricsMessage {
  return isRecord(message) && typeof message['metrics'] === 'string' && typeof message['id'] === 'number';
}

/** The figures of all processes that serve. */
interface CollectWorkers {
  /** Returns those of each worker. */
  readonly collect: () => Promise<readonly unknown[]>;
  readonly close: () => void;
}

/** Milliseconds, in which the primary process has given up on workers that hang. */
const COLLECT_TIMEOUT = 4000;

/**
 * Joins a worker process with the others: gives its figures when another one is asked, and gets theirs. Null
 * in a process that serves alone.
 */
export function collectWorkers(count: () => Promise<unknown>): CollectWorkers | null {
  const { worker } = cluster;
  if (!cluster.isWorker || worker === undefined) return null;
  const waiting = new Map<number, (figures: readonly unknown[]) => void>();
  let lastId = 0;
  const send = (message: MetricsMessage): void => void (worker.isConnected() && worker.send(message));
  const receive = (message: unknown): void => {
    if (!isMetricsMessage(message)) return;
    const { id } = message;
    if (message.metrics === 'all') waiting.get(id)?.(message.figures);
    else if (message.metrics === 'count')
      void count().then((figures) => send({ metrics: 'counted', id, figures }));
  };
  worker.on('message', receive);
  return {
    collect: () =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        const settle = (): void => {
          clearTimeout(timer);
          waiting.delete(id);
        };
        const timer = setTimeout(() => {
          settle();
          reject(new Error('The other processes did not tell their figures'));
        }, COLLECT_TIMEOUT);
        waiting.set(id, (figures) => {
          settle();
          resolve(figures);
        });
        send({ metrics: 'ask', id });
      }),
    close: () => void worker.off('message', receive),
  };
}

/** A process that counts, as the primary process sees it. */
export interface CountingWorker {
  readonly isConnected: () => boolean;
  readonly send: (message: MetricsMessage) => unknown;
}

/** Milliseconds. A worker that hangs is left out, so that the figures of the others can be seen. */
const TIMEOUT = 2000;

/** One round: who has asked, and what was counted so far. */
interface Round {
  readonly asker: CountingWorker;
  readonly askedAs: number;
  readonly figures: unknown[];
  missing: number;
  readonly timer: NodeJS.Timeout;
}

/** Passes the figures of all workers on to the one that asks. Other messages are left alone. */
export interface MetricsRelay {
  readonly receive: (sender: CountingWorker, message: unknown) => void;
}

/** @param workers returns those that run */
export function createMetricsRelay(workers: () => Iterable<CountingWorker>): MetricsRelay {
  const rounds = new Map<number, Round>();
  let lastId = 0;
  const finish = (id: number, { asker, askedAs, figures, timer }: Round): void => {
    rounds.delete(id);
    clearTimeout(timer);
    if (asker.isConnected()) asker.send({ metrics: 'all', id: askedAs, figures });
  };
  const begin = (asker: CountingWorker, askedAs: number): void => {
    const id = (lastId += 1);
    const asked = [...workers()].filter((worker) => worker.isConnected());
    const timer = setTimeout(() => finish(id, round), TIMEOUT).unref();
    const round: Round = { asker, askedAs, figures: [], missing: asked.length, timer };
    rounds.set(id, round);
    for (const worker of asked) worker.send({ metrics: 'count', id });
  };
  const add = (id: number, figures: unknown): void => {
    const round = rounds.get(id);
    if (round === undefined) return;
    round.figures.push(figures);
    round.missing -= 1;
    if (round.missing === 0) finish(id, round);
  };
  return {
    receive: (sender, message) => {
      if (!isMetricsMessage(message)) return;
      if (message.metrics === 'ask') begin(sender, message.id);
      else if (message.metrics === 'counted') add(message.id, message.figures);
    },
  };
}
