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
