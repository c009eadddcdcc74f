import cluster from 'node:cluster';
import { isRecord } from '../../lib/records.js';

/**
 * A message between workers and their primary process, so that each worker can report the metrics of all. A
 * worker sends `ask`, the primary sends `count` to each worker, collects the responses `counted`, and returns
 * them as `all`.
 */
export type MetricsMessage =
  | { readonly metrics: 'ask' | 'count'; readonly id: number }
  | { readonly metrics: 'counted'; readonly id: number; readonly figures: unknown }
  | { readonly metrics: 'all'; readonly id: number; readonly figures: readonly unknown[] };

/** True if a message between processes is a metrics message. Only processes of the server can send any. */
function isMetricsMessage(message: unknown): message is MetricsMessage {
  return isRecord(message) && typeof message['metrics'] === 'string' && typeof message['id'] === 'number';
}

/** Access to the metrics of all workers. */
interface CollectWorkers {
  /** Returns the metrics of each worker. */
  readonly collect: () => Promise<readonly unknown[]>;
  readonly close: () => void;
}

/** Milliseconds. Longer than the primary process waits for workers that hang. */
const COLLECT_TIMEOUT = 4000;

/**
 * Connects a worker process to the others: sends its metrics on request, and collects theirs. Null in a
 * process that serves alone.
 */
export function connectMetricsWorker(count: () => Promise<unknown>): CollectWorkers | null {
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
          reject(new Error('The other processes did not send their metrics in time'));
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

/** A worker that sends metrics, as the primary process sees it. */
export interface CountingWorker {
  readonly isConnected: () => boolean;
  readonly send: (message: MetricsMessage) => unknown;
}

/** Milliseconds. The metrics of a worker that hangs are omitted. */
const TIMEOUT = 2000;

/** One collection: the worker that requested it, and the metrics received so far. */
interface Round {
  readonly requester: CountingWorker;
  readonly requestId: number;
  readonly figures: unknown[];
  missing: number;
  readonly timer: NodeJS.Timeout;
}

/** Sends the metrics of all workers to the one that requests them. Ignores other messages. */
export interface MetricsRelay {
  readonly receive: (sender: CountingWorker, message: unknown) => void;
}

/** @param workers returns the running workers */
export function createMetricsRelay(workers: () => Iterable<CountingWorker>): MetricsRelay {
  const rounds = new Map<number, Round>();
  let lastId = 0;
  const finish = (id: number, { requester, requestId, figures, timer }: Round): void => {
    rounds.delete(id);
    clearTimeout(timer);
    if (requester.isConnected()) requester.send({ metrics: 'all', id: requestId, figures });
  };
  const begin = (requester: CountingWorker, requestId: number): void => {
    const id = (lastId += 1);
    const workersToCount = [...workers()].filter((worker) => worker.isConnected());
    const timer = setTimeout(() => finish(id, round), TIMEOUT).unref();
    const round: Round = { requester, requestId, figures: [], missing: workersToCount.length, timer };
    rounds.set(id, round);
    for (const worker of workersToCount) worker.send({ metrics: 'count', id });
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
