import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { errorDocument, toGalleyError } from '../terminal/report-error.js';

/**
 * A worker that lived shorter than this is replaced only after this time, so that a server that cannot run
 * does not restart in a loop.
 */
const MIN_LIFETIME_MS = 5000;

/** Several processes that share one port. */
export interface Workers {
  /** The port they listen on. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

export interface WorkersOptions {
  readonly count: number;
  /** Called with a message when a worker exits without having been stopped. */
  readonly onCrash: (message: string) => void;
}

interface StartFailure {
  readonly reason: string;
  readonly remedy: string;
}

/** True in a worker process. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Reports to the primary process why this worker cannot serve. */
export function reportToPrimary(error: unknown): Promise<void> {
  const document = errorDocument(toGalleyError(error));
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(document, undefined, undefined, () => resolve());
  });
}

const parseStartFailure = (message: unknown): StartFailure | null => {
  const error = isRecord(message) ? message['error'] : undefined;
  if (!isRecord(error)) return null;
  return { reason: String(error['message']), remedy: typeof error['hint'] === 'string' ? error['hint'] : '' };
};

/** Resolves with the port when the worker listens. Rejects with the worker's own error where it cannot. */
const waitForListening = (worker: Worker): Promise<number> =>
  new Promise((resolve, reject) => {
    let failure: StartFailure = { reason: 'A worker exited before it served requests.', remedy: '' };
    worker.on('message', (message: unknown) => {
      failure = parseStartFailure(message) ?? failure;
    });
    worker.once('listening', ({ port }) => resolve(port));
    worker.once('exit', () => reject(createError('server/worker-failed', { ...failure })));
  });

const stopWorker = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
    if (worker.isDead()) resolve();
    else worker.process.kill('SIGTERM');
  });

/** Creates a pool of the running workers and the pending restarts. */
const createWorkerPool = (onCrash: WorkersOptions['onCrash']) => {
  const workers = new Set<Worker>();
  const pendingRestarts = new Set<NodeJS.Timeout>();
  let restartsWorkers = false;

  const forkWorker = (): Promise<number> => {
    const startedAt = Date.now();
    const worker = cluster.fork();
    workers.add(worker);
    worker.once('exit', () => {
      workers.delete(worker);
      if (restartsWorkers) scheduleRestart(Date.now() - startedAt < MIN_LIFETIME_MS ? MIN_LIFETIME_MS : 0);
    });
    return waitForListening(worker);
  };

  const scheduleRestart = (delayMs: number): void => {
    onCrash(
      `A worker exited unexpectedly; a new one starts ${delayMs === 0 ? 'now' : `in ${delayMs / 1000} s`}.`,
    );
    const timer = setTimeout(() => {
      pendingRestarts.delete(timer);
      forkWorker().catch((error: unknown) => onCrash(toGalleyError(error).message));
    }, delayMs);
    pendingRestarts.add(timer);
  };

  return {
    fork: forkWorker,
    /** From now on, workers that end are replaced. */
    enableRestarts: (): void => {
      restartsWorkers = true;
    },
    close: async (): Promise<void> => {
      restartsWorkers = false;
      for (const timer of pendingRestarts) clearTimeout(timer);
      await Promise.all([...workers].map(stopWorker));
    },
  };
};

/**
 * Runs this command line in several processes that share one port. A worker that crashes is replaced.
 *
 * @throws `server/worker-failed` with the reason of the first worker that cannot start; the others are
 *   stopped
 */
export async function startWorkers({ count, onCrash }: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const pool = createWorkerPool(onCrash);
  try {
    const [port = 0] = await Promise.all(Array.from({ length: count }, pool.fork));
    pool.enableRestarts();
    return { port, close: pool.close };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
