/** Closes what has been opened, in reverse order. */
export interface Disposer {
  readonly add: (close: () => Promise<void>) => void;
  /**
   * Closes everything, also after a failure. Further calls return the same promise.
   *
   * @throws the error of the only close that failed, or an `AggregateError` of all
   */
  readonly close: () => Promise<void>;
}

/**
 * @example
 *   const disposer = createDisposer();
 *   const database = await openDatabase(options);
 *   disposer.add(database.close);
 *   await disposer.close();
 */
export function createDisposer(): Disposer {
  const closers: (() => Promise<void>)[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several things could not be closed');
    if (errors.length === 1) throw errors[0];
  };
  return {
    add: (close) => void closers.push(close),
    close: () => (closed ??= closeAll()),
  };
}

/**
 * Returns a function that runs `work`, and once more for all calls that come while it runs. Its errors go to
 * `onError`.
 *
 * @example
 *   const look = runAgain(readQueue, onError);
 *   await look();
 */
export function runAgain(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    try {
      while (isAskedAgain) {
        isAskedAgain = false;
        await work();
      }
    } catch (error) {
      onError(error);
    } finally {
      running = null;
    }
  };
  return () => {
    isAskedAgain = true;
    running ??= run();
    return running;
  };
}

/**
 * Returns the signal that ends something. Called only where that takes long, since creating a signal takes as
 * long as many a read.
 */
export type LazySignal = () => AbortSignal;

/** The use, at one moment, of a pool of connections, or of threads with one connection each. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** The number of callers that wait for one. */
  readonly waiting: number;
}
