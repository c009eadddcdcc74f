import { createError } from '../../errors/catalogue.js';
import { stopOnSignal } from './signals.js';

/** The texts of the message about an interruption. */
interface StoppedWork<T> {
  /** As the subject of a sentence: `The upload`. */
  readonly work: string;
  /** The noun for the items: `files`. */
  readonly items: string;
  /** Returns the remedy for the rest, all from this item on, if something was done. */
  readonly remedy: (next: T) => string;
}

/**
 * Does work for each item, one after the other. A signal to stop ends that after the item at hand; a second
 * one ends the process at once.
 *
 * @throws `cli/stopped` where items are left
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
