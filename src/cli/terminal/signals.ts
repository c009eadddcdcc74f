import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface StopOptions {
  /**
   * True if this process is a worker. Ctrl-C and service managers signal all processes, but the primary
   * process decides when to stop. So a worker ignores SIGINT, and stops on SIGTERM, even if it is repeated.
   */
  readonly isWorker?: boolean;
}

/** The message of the primary process to a worker that was replaced. */
export const REPLACED = { isReplaced: true } as const;
const STOPPED = { isReplaced: false } as const;

interface StopRequest {
  /**
   * Resolves at the first SIGINT or SIGTERM, or when a worker is replaced. A second signal ends the process
   * immediately.
   */
  readonly requested: Promise<typeof REPLACED | typeof STOPPED>;
  readonly unsubscribe: () => void;
}

interface Closable {
  readonly close: () => Promise<void>;
  /** Closes a replaced worker. */
  readonly retire?: () => Promise<void>;
}

const end = ({ close, retire = close }: Closable, { isReplaced }: typeof REPLACED | typeof STOPPED) =>
  isReplaced ? retire() : close();

const ignore = (): void => undefined;

/** Listens for signals from now on. A server that receives one while it starts stops after the start. */
const listenForStop = ({ isWorker = false }: StopOptions): StopRequest => {
  let unsubscribe = (): void => undefined;
  const requested = new Promise<typeof REPLACED | typeof STOPPED>((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isWorker && signal === 'SIGINT') return;
      if (!isWorker) unsubscribe();
      resolve(STOPPED);
    };
    const onMessage = (message: unknown): void => {
      if (isRecord(message) && message['isReplaced'] === true) resolve(REPLACED);
    };
    unsubscribe = () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      if (isWorker) process.off('message', onMessage).off('SIGHUP', ignore);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    // Only the primary process handles SIGHUP.
    if (isWorker) process.on('message', onMessage).on('SIGHUP', ignore);
  });
  return { requested, unsubscribe };
};

/**
 * Starts a server and closes it when the process receives a stop signal. `running` settles when the server is
 * closed.
 */
export async function runUntilStopped<T extends Closable>(
  start: () => Promise<T>,
  options: StopOptions = {},
): Promise<{ readonly started: T; readonly running: Promise<void> }> {
  const stop = listenForStop(options);
  try {
    const started = await start();
    return { started, running: stop.requested.then((how) => end(started, how)) };
  } catch (error) {
    stop.unsubscribe();
    throw error;
  }
}

/**
 * Runs work that ends early, at a point where it can continue later, when the process receives a stop signal.
 * A second signal ends the process immediately.
 */
export async function stopOnSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = listenForStop({});
  const controller = new AbortController();
  void stop.requested.then(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    stop.unsubscribe();
  }
}

/**
 * Runs work at each SIGHUP, which service managers send to reload a server. If the process has a terminal,
 * SIGHUP means that the terminal was closed, and ends the process.
 */
export function runOnHangup(work: () => void): void {
  if (!process.stdin.isTTY) process.on('SIGHUP', work);
}

/** Runs work that must not be interrupted. Signals during the work are raised again afterwards. */
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

/**
 * Runs work. If a signal interrupts it, first reports the remaining state, then lets the signal have its
 * usual effect.
 */
export async function reportInterruption<T>(report: () => void, work: () => Promise<T>): Promise<T> {
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    stopListening();
    report();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work();
  } catch (error) {
    if (isGalleyError(error) && error.code === 'cli/interrupted') report();
    throw error;
  } finally {
    stopListening();
  }
}

/** The texts of the message about an interruption. */
interface StoppedWork<T> {
  /** As the subject of a sentence: `The upload`. */
  readonly work: string;
  /** The noun for the items: `files`. */
  readonly items: string;
  /** Returns the remedy for the remaining items, from this one on, if some were done. */
  readonly remedy: (next: T) => string;
}

/**
 * Runs work for each item, one after the other. A stop signal ends it after the current item. A second one
 * ends the process immediately.
 *
 * @throws `cli/stopped` if items remain
 */
export async function eachUntilStopped<T>(
  items: readonly T[],
  { work, items: unit, remedy }: StoppedWork<T>,
  run: (item: T, index: number) => Promise<void>,
): Promise<void> {
  await stopOnSignal(async (signal) => {
    for (const [index, item] of items.entries()) {
      if (signal.aborted)
        throw createError('cli/stopped', {
          work,
          done: `${index} of ${items.length} ${unit}`,
          remedy: index === 0 ? 'Nothing was changed.' : remedy(item),
        });
      await run(item, index);
    }
  });
}

/**
 * Runs work that writes one file. A stop signal ends it, and removes the incomplete file.
 *
 * @throws `cli/stopped`
 */
export function writeUntilStopped<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return stopOnSignal(async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const done = 'it had begun';
      throw createError(
        'cli/stopped',
        { work: name, done, remedy: 'Nothing was written.' },
        { cause: error },
      );
    }
  });
}
