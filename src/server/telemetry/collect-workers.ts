import cluster from 'node:cluster';
import { isMetricsMessage } from './worker-messages.js';
import type { MetricsMessage } from './worker-messages.js';

/** The figures of all processes that serve. */
export interface CollectWorkers {
  /** Returns those of each worker. */
  readonly collect: () => Promise<readonly unknown[]>;
  readonly close: () => void;
}

/** Milliseconds, in which the primary process has given up on workers that hang. */
const TIMEOUT = 4000;

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
        }, TIMEOUT);
        waiting.set(id, (figures) => {
          settle();
          resolve(figures);
        });
        send({ metrics: 'ask', id });
      }),
    close: () => void worker.off('message', receive),
  };
}
