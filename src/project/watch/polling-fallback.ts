import { changedFiles } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';

const INTERVAL_MS = 1000;

/**
 * Milliseconds for which a change must be stable. A younger file may be incomplete, or the watcher may still
 * report it.
 */
const STABILITY_MS = 250;

/** The largest share of time spent on polling. Limits the load in projects with many files. */
const MAX_POLLING_SHARE = 0.05;

/** Polls the watched files for changes that the watcher did not report. */
export interface PollingFallback {
  /** Starts polling. Reports differences from this state. */
  readonly start: (before: Fingerprint) => void;
  readonly stop: () => void;
}

export interface PollingFallbackOptions {
  readonly readFingerprint: () => Promise<Fingerprint>;
  /** Called once per change, with the paths of the changed files. */
  readonly onChange: (changed: readonly string[]) => void;
  readonly intervalMs?: number;
  readonly stabilityMs?: number;
}

/**
 * Creates a poller that complements the file watcher. The watcher misses some changes: a file that is
 * replaced twice within milliseconds, a file that is written to a new folder before the folder is watched,
 * and changes on network drives. The poller compares the files with the state that is served.
 */
export function createPollingFallback({
  readFingerprint,
  onChange,
  intervalMs = INTERVAL_MS,
  stabilityMs = STABILITY_MS,
}: PollingFallbackOptions): PollingFallback {
  let timer: NodeJS.Timeout | undefined;
  let currentRun = {};
  const stop = (): void => {
    currentRun = {};
    clearTimeout(timer);
  };
  const start = (first: Fingerprint): void => {
    stop();
    const run = currentRun;
    let [before, last] = [first, first];
    const poll = async (): Promise<void> => {
      const startedAt = performance.now();
      const current = await readFingerprint();
      if (currentRun !== run) return;
      const isStable = changedFiles(last, current).length === 0;
      const changed = changedFiles(before, current);
      last = current;
      if (isStable && changed.length > 0) {
        before = current;
        onChange(changed);
      }
      if (currentRun === run)
        schedule(
          isStable ? Math.max(intervalMs, (performance.now() - startedAt) / MAX_POLLING_SHARE) : stabilityMs,
        );
    };
    const schedule = (ms: number): void => {
      timer = setTimeout(() => void poll(), ms);
    };
    schedule(intervalMs);
  };
  return { start, stop };
}
