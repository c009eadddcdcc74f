import { changedBetween } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';

const EVERY_MS = 1000;

/** A difference is told when it has rested: the file may be half written, and the watcher about to tell it. */
const SETTLED_MS = 250;

/** Of the time, for projects with very many files. */
const MOST_LOOKING = 0.05;

/** Looks at files again and again until they are not what they were. */
export interface SecondLook {
  /** From now on, whatever differs from this is told. */
  readonly start: (before: Fingerprint) => void;
  readonly stop: () => void;
}

export interface SecondLookOptions {
  readonly look: () => Promise<Fingerprint>;
  /** Told the names of the files that changed, once per change. */
  readonly onChange: (changed: readonly string[]) => void;
  readonly everyMs?: number;
  readonly settledMs?: number;
}

/**
 * Watching overlooks saves: a file that is replaced twice within milliseconds is never heard of again, nor is what is put into a new folder in the
 * instant before it is watched; network drives tell nothing at all. Whatever happened, files that differ from what is served are found here.
 */
export function createSecondLook({ look, onChange, everyMs = EVERY_MS, settledMs = SETTLED_MS }: SecondLookOptions): SecondLook {
  let timer: NodeJS.Timeout | undefined;
  let watch = {};
  const stop = (): void => {
    watch = {};
    clearTimeout(timer);
  };
  const start = (first: Fingerprint): void => {
    stop();
    const own = watch;
    let [before, last] = [first, first];
    const lookAgain = async (): Promise<void> => {
      const startedAt = performance.now();
      const now = await look();
      if (watch !== own) return;
      const isAtRest = changedBetween(last, now).length === 0;
      const changed = changedBetween(before, now);
      last = now;
      if (isAtRest && changed.length > 0) {
        before = now;
        onChange(changed);
      }
      if (watch === own) wait(isAtRest ? Math.max(everyMs, (performance.now() - startedAt) / MOST_LOOKING) : settledMs);
    };
    const wait = (ms: number): void => {
      timer = setTimeout(() => void lookAgain(), ms);
    };
    wait(everyMs);
  };
  return { start, stop };
}
