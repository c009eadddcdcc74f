import { createError } from '../../errors/catalogue.js';
import { stopOnSignal } from './signals.js';

/**
 * Runs work that writes one file as a whole. A signal to stop ends it, and nothing is left of it.
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
