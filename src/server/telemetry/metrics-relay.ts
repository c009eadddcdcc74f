import { isMetricsMessage } from './worker-messages.js';
import type { MetricsMessage } from './worker-messages.js';

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
