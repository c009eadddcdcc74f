const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface StopOptions {
  /**
   * This process is a worker. Ctrl-C and service managers signal all processes at once, but the primary
   * process decides when to stop: a worker ignores SIGINT, and stops on SIGTERM however often it arrives.
   */
  readonly isWorker?: boolean;
}

interface StopRequest {
  /** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once. */
  readonly requested: Promise<void>;
  readonly unsubscribe: () => void;
}

/** Listens for signals from now on. A server that is still starting then stops as soon as it has started. */
const listenForStop = ({ isWorker = false }: StopOptions): StopRequest => {
  let unsubscribe = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isWorker && signal === 'SIGINT') return;
      if (!isWorker) unsubscribe();
      resolve();
    };
    unsubscribe = () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
  return { requested, unsubscribe };
};

/**
 * Starts a server and closes it when the process receives a signal to stop. `running` settles when the server
 * is closed.
 */
export async function runUntilStopped<T extends { readonly close: () => Promise<void> }>(
  start: () => Promise<T>,
  options: StopOptions = {},
): Promise<{ readonly started: T; readonly running: Promise<void> }> {
  const stop = listenForStop(options);
  try {
    const started = await start();
    return { started, running: stop.requested.then(() => started.close()) };
  } catch (error) {
    stop.unsubscribe();
    throw error;
  }
}

/** Runs work that must not be interrupted. Signals that arrive meanwhile are raised again when it is done. */
export async function deferSignals<T>(work: () => Promise<T>): Promise<T> {
  let receivedSignal: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    receivedSignal = signal;
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    if (receivedSignal !== undefined) process.kill(process.pid, receivedSignal);
  }
}
