import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { createMetricsRelay } from '../../server/telemetry/metrics-relay.js';
import { errorDocument, toGalleyError } from '../terminal/report-error.js';
import { REPLACED } from '../terminal/signals.js';

/**
 * A worker that exits earlier is replaced only after this time, so that a broken server does not restart in a
 * tight loop.
 */
const MIN_LIFETIME_MS = 5000;

/** Several server processes that share one port. */
export interface Workers {
  /** The shared port. */
  readonly port: number;
  /**
   * Replaces one worker after another, each after its replacement serves requests. If a replacement cannot
   * start, the remaining workers keep running.
   */
  readonly restart: () => void;
  readonly close: () => Promise<void>;
}

export interface WorkersOptions {
  readonly count: number;
  /** Called with a message when a worker exits unexpectedly, or cannot be replaced. */
  readonly onCrash: (message: string) => void;
  /** Called when all workers are replaced. */
  readonly onRestarted: () => void;
}

interface StartFailure {
  readonly reason: string;
  readonly remedy: string;
}

/** True in a worker process. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Sends the reason why this worker cannot serve to the primary process. */
export function reportToPrimary(error: unknown): Promise<void> {
  const document = errorDocument(toGalleyError(error));
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(document, undefined, undefined, () => resolve());
  });
}

/** The message of a worker that it no longer listens, and the reply of the primary process. */
const STOPPED_LISTENING = { hasStoppedListening: true } as const;

const isStoppedListening = (message: unknown): boolean =>
  isRecord(message) && message['hasStoppedListening'] === true;

/**
 * Resolves when the primary process no longer passes connections to this worker, which has stopped listening.
 * Node.js returns connections that still arrive, and another worker gets them. If the worker ended earlier,
 * they would stay open without a response.
 */
export function waitForPassedConnections(): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown): void => {
      if (!isStoppedListening(message)) return;
      process.off('message', onMessage);
      resolve();
    };
    process.on('message', onMessage);
    process.send?.(STOPPED_LISTENING);
  });
}

const parseStartFailure = (message: unknown): StartFailure | null => {
  const error = isRecord(message) ? message['error'] : undefined;
  if (!isRecord(error)) return null;
  return { reason: String(error['message']), remedy: typeof error['hint'] === 'string' ? error['hint'] : '' };
};

/** Resolves with the port when the worker listens. Rejects with the error of the worker if it cannot. */
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

/** Stops a replaced worker after it has finished its requests. */
const retireWorker = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
    if (worker.isDead()) resolve();
    else if (worker.isConnected()) worker.send(REPLACED);
  });

/** Creates the pool of running workers and pending restarts. */
const createWorkerPool = (onCrash: WorkersOptions['onCrash']) => {
  const workers = new Set<Worker>();
  /** Workers whose exit is not reported: they are being replaced, or have not served yet. */
  const leaving = new Set<Worker>();
  const pendingRestarts = new Set<NodeJS.Timeout>();
  const relay = createMetricsRelay(() => workers);
  let restartsWorkers = false;

  const fork = (): Worker => {
    const startedAt = Date.now();
    const worker = cluster.fork();
    workers.add(worker);
    worker.on('message', (message: unknown) => {
      if (isStoppedListening(message) && worker.isConnected()) worker.send(STOPPED_LISTENING);
      relay.receive(worker, message);
    });
    worker.once('exit', () => {
      workers.delete(worker);
      const isExpected = leaving.delete(worker);
      if (restartsWorkers && !isExpected)
        scheduleRestart(Date.now() - startedAt < MIN_LIFETIME_MS ? MIN_LIFETIME_MS : 0);
    });
    return worker;
  };
  const forkWorker = (): Promise<number> => waitForListening(fork());

  const replace = async (worker: Worker): Promise<void> => {
    const next = fork();
    leaving.add(next);
    await waitForListening(next);
    leaving.delete(next);
    leaving.add(worker);
    await retireWorker(worker);
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
    /** Replaces the running workers, one after another. */
    replaceAll: async (): Promise<void> => {
      const found = [...workers];
      for (const worker of found) if (restartsWorkers && workers.has(worker)) await replace(worker);
    },
    /** From now on, workers that exit are replaced. */
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

/** Creates the restart function. A call during a restart starts another one afterwards. */
const createRestart = (
  replaceAll: () => Promise<void>,
  { onCrash, onRestarted }: Pick<WorkersOptions, 'onCrash' | 'onRestarted'>,
): (() => void) => {
  let running = false;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      isAskedAgain = false;
      await replaceAll().then(onRestarted, (error: unknown) =>
        onCrash(`A worker could not be replaced. The others keep running: ${toGalleyError(error).message}`),
      );
    } while (isAskedAgain);
    running = false;
  };
  return () => {
    isAskedAgain = running;
    if (!running) void run();
  };
};

/**
 * Runs this command line in several processes that share one port. A worker that crashes is replaced.
 *
 * @throws `server/worker-failed` with the reason of the first worker that cannot start; the others are
 *   stopped
 */
export async function startWorkers({ count, onCrash, onRestarted }: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const pool = createWorkerPool(onCrash);
  try {
    const [port = 0] = await Promise.all(Array.from({ length: count }, pool.fork));
    pool.enableRestarts();
    return { port, restart: createRestart(pool.replaceAll, { onCrash, onRestarted }), close: pool.close };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
