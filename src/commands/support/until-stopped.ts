const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface StopOptions {
  /**
   * This process is one of several, of which the first one decides. A Ctrl-C reaches all of them, and a service manager may tell all of
   * them, too: only SIGTERM counts then, and having been told twice is no reason to hurry.
   */
  readonly isWorker?: boolean;
}

interface Stop {
  /** Resolves at the first Ctrl-C or SIGTERM. A second one ends the process at once, as if nobody listened. */
  readonly asked: Promise<void>;
  readonly forget: () => void;
}

/** Listens for the wish to stop, from now on: a server that is still starting then stops as soon as it has started. */
const awaitStop = ({ isWorker = false }: StopOptions): Stop => {
  let forget = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isWorker && signal === 'SIGINT') return;
      if (!isWorker) forget();
      resolve();
    };
    forget = () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
  return { asked, forget };
};

/** Starts something that runs until it is asked to stop, and closes it then. `running` settles when it is closed. */
export async function runUntilStopped<T extends { readonly close: () => Promise<void> }>(start: () => Promise<T>, options: StopOptions = {}): Promise<{ readonly started: T; readonly running: Promise<void> }> {
  const stop = awaitStop(options);
  try {
    const started = await start();
    return { started, running: stop.asked.then(() => started.close()) };
  } catch (error) {
    stop.forget();
    throw error;
  }
}
