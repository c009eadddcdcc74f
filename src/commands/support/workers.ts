import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { errorDocument, toGalleyError } from './report.js';

/** One that lived shorter than this is not replaced at once, so that a server which cannot run does not keep the machine busy. */
const SHORT_LIFE_MS = 5000;

/** Several processes that serve together. */
export interface Workers {
  /** Where they listen. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

export interface WorkersOptions {
  readonly count: number;
  /** Told of a worker that ended by itself. */
  readonly onCrash: (message: string) => void;
}

interface Refusal {
  readonly reason: string;
  readonly remedy: string;
}

/** Whether this process is one of several that serve together. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Tells the first process why this one cannot serve. */
export function reportToPrimary(error: unknown): Promise<void> {
  const document = errorDocument(toGalleyError(error));
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(document, undefined, undefined, () => resolve());
  });
}

const readRefusal = (message: unknown): Refusal | null => {
  const error = isRecord(message) ? message['error'] : undefined;
  if (!isRecord(error)) return null;
  return { reason: String(error['message']), remedy: typeof error['hint'] === 'string' ? error['hint'] : '' };
};

/** Resolves with the port as soon as the worker listens; rejects with the worker's own reason where it cannot. */
const untilListening = (worker: Worker): Promise<number> =>
  new Promise((resolve, reject) => {
    let refusal: Refusal = { reason: 'A worker ended before it served.', remedy: '' };
    worker.on('message', (message: unknown) => {
      refusal = readRefusal(message) ?? refusal;
    });
    worker.once('listening', ({ port }) => resolve(port));
    worker.once('exit', () => reject(fail('server/worker-failed', { ...refusal })));
  });

const stop = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
    if (worker.isDead()) resolve();
    else worker.process.kill('SIGTERM');
  });

/** The workers that live, and the replacements that are due. */
const createCrew = (onCrash: WorkersOptions['onCrash']) => {
  const workers = new Set<Worker>();
  const due = new Set<NodeJS.Timeout>();
  let isSettled = false;

  const hire = (): Promise<number> => {
    const born = Date.now();
    const worker = cluster.fork();
    workers.add(worker);
    worker.once('exit', () => {
      workers.delete(worker);
      if (isSettled) replace(Date.now() - born < SHORT_LIFE_MS ? SHORT_LIFE_MS : 0);
    });
    return untilListening(worker);
  };

  const replace = (pause: number): void => {
    onCrash(`A worker ended by itself; another takes its place${pause === 0 ? '' : ` in ${pause / 1000} s`}.`);
    const timer = setTimeout(() => {
      due.delete(timer);
      hire().catch((error: unknown) => onCrash(toGalleyError(error).message));
    }, pause);
    due.add(timer);
  };

  return {
    hire,
    /** From now on whoever ends is replaced. */
    settle: (): void => {
      isSettled = true;
    },
    close: async (): Promise<void> => {
      isSettled = false;
      for (const timer of due) clearTimeout(timer);
      await Promise.all([...workers].map(stop));
    },
  };
};

/**
 * Runs this very command line in several processes that share one port. One that crashes is replaced.
 *
 * @throws `server/worker-failed` with the reason of the first that could not start; the others are stopped
 */
export async function startWorkers({ count, onCrash }: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const crew = createCrew(onCrash);
  try {
    const [port = 0] = await Promise.all(Array.from({ length: count }, crew.hire));
    crew.settle();
    return { port, close: crew.close };
  } catch (error) {
    await crew.close();
    throw error;
  }
}
