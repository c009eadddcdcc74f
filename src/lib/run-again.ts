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
