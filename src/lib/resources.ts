/** Closes opened resources, in reverse order. */
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
    if (errors.length > 1) throw new AggregateError(errors, 'Several resources could not be closed');
    if (errors.length === 1) throw errors[0];
  };
  return {
    add: (close) => void closers.push(close),
    close: () => (closed ??= closeAll()),
  };
}

/**
 * Returns a function that runs `work`, and runs it once more after calls during a run. Errors are passed to
 * `onError`.
 *
 * @example
 *   const poll = runAgain(readQueue, onError);
 *   await poll();
 */
export function coalesceRuns(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isRequestedAgain = false;
  const run = async (): Promise<void> => {
    try {
      while (isRequestedAgain) {
        isRequestedAgain = false;
        await work();
      }
    } catch (error) {
      onError(error);
    } finally {
      running = null;
    }
  };
  return () => {
    isRequestedAgain = true;
    running ??= run();
    return running;
  };
}

/**
 * Returns the signal that ends an operation. Called only for slow operations, because creating a signal takes
 * as long as a fast read.
 */
export type LazySignal = () => AbortSignal;

/** The current use of a pool of connections, or of threads with one connection each. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** The number of callers that wait for a connection. */
  readonly waiting: number;
}
