import { watch } from 'chokidar';
import { relativePath } from '../../lib/text.js';
import { changedFiles, isWatched } from './watched-files.js';
import type { Fingerprint } from './watched-files.js';

export interface Watcher {
  readonly close: () => Promise<void>;
}

/** Milliseconds. Changes within this time are reported in one batch. */
const DEBOUNCE_MS = 10;

/**
 * Milliseconds for which the size of a file must stay the same before a change is reported. This skips
 * half-written files. Without it, chokidar also misses a second save within 50 ms of the first, as by editors
 * that format on save.
 */
export const AWAIT_WRITE_FINISH = { stabilityThreshold: 20, pollInterval: 10 };

/**
 * Watches the files of a project: schema files, project code, configuration and migrations. Calls back with
 * the changed paths, relative to the project and with forward slashes. Most changes are reported within 50
 * ms. The polling fallback finds those that the watcher misses.
 */
export async function watchProject(
  root: string,
  onChange: (paths: readonly string[]) => void,
): Promise<Watcher> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const paths = [...changed].toSorted();
    changed.clear();
    onChange(paths);
  };
  // Watches only the root, which exists. For missing paths, chokidar reports `ready` too early, and then
  // misses changes.
  const watcher = watch(root, {
    ignoreInitial: true,
    awaitWriteFinish: AWAIT_WRITE_FINISH,
    ignored: (path) => !isWatched(root, path),
  });
  watcher.on('all', (event, path) => {
    // Changes in a folder are reported for its files.
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(relativePath(root, path));
    clearTimeout(timer);
    timer = setTimeout(flush, DEBOUNCE_MS);
  });
  await new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

const INTERVAL_MS = 1000;

/**
 * Milliseconds for which a change must be stable. A younger file may be incomplete, or the watcher may still
 * report it.
 */
const STABILITY_MS = 250;

/** The largest share of time spent on polling. Limits the load in projects with many files. */
const MAX_POLLING_SHARE = 0.05;

/** Polls the watched files for changes that the watcher did not report. */
interface PollingFallback {
  /** Starts polling. Reports differences from this state. */
  readonly start: (before: Fingerprint) => void;
  readonly stop: () => void;
}

interface PollingFallbackOptions {
  readonly readFingerprint: () => Promise<Fingerprint>;
  /** Called once per change, with the paths of the changed files. */
  readonly onChange: (changed: readonly string[]) => void;
  readonly intervalMs?: number;
  readonly stabilityMs?: number;
}

/**
 * Creates a poller that complements the file watcher. The watcher misses some changes: a file that is
 * replaced twice within milliseconds, a file that is written to a new folder before the folder is watched,
 * and changes on network drives. The poller compares the files with the served state.
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

interface RebuildQueueOptions {
  readonly readFingerprint: () => Promise<Fingerprint>;
  /** Resolves when no command is changing the files. */
  readonly waitForEdits: () => Promise<void>;
  /** True if the server wrote the file. */
  readonly isOwnWrite: (path: string) => boolean;
  /**
   * @param before the state of the files at the start of the rebuild
   * @param signal aborted as soon as that state is outdated
   */
  readonly runRebuild: (
    changed: readonly string[],
    before: Fingerprint,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** Runs rebuilds one after another. */
export interface RebuildQueue {
  /** Runs the first rebuild, which needs no change. */
  readonly start: () => Promise<void>;
  /** Runs a rebuild, unless the last one started with the same state of the files. */
  readonly request: (changed: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Creates the queue of a development server. Changes during a rebuild cause one more rebuild, except changes
 * that the rebuild has read or written. So a command that edits content-types and migrates causes one
 * rebuild, in any order of the reports.
 */
export function createRebuildQueue({
  readFingerprint,
  waitForEdits,
  isOwnWrite,
  runRebuild,
}: RebuildQueueOptions): RebuildQueue {
  const reportedPaths = new Set<string>();
  let built: Fingerprint | null = null;
  let running: Promise<void> | null = null;
  let abortController = new AbortController();

  const isOutdated = (path: string, current: Fingerprint): boolean =>
    !isOwnWrite(path) && (built === null || built.get(path) !== current.get(path));

  const takeReported = (current: Fingerprint): readonly string[] => {
    const changed = [...reportedPaths].filter((path) => isOutdated(path, current));
    reportedPaths.clear();
    return changed;
  };

  const runAll = async (): Promise<void> => {
    do {
      await waitForEdits();
      const current = await readFingerprint();
      const changed = takeReported(current);
      if (built !== null && changed.length === 0) continue;
      built = current;
      abortController = new AbortController();
      await runRebuild(changed, current, abortController.signal);
    } while (reportedPaths.size > 0);
    running = null;
  };

  const abortIfOutdated = async (): Promise<void> => {
    const { signal } = abortController;
    const current = await readFingerprint();
    const isStillRunning = signal === abortController.signal;
    if (isStillRunning && [...reportedPaths].some((path) => isOutdated(path, current)))
      abortController.abort();
  };

  return {
    start: () => (running ??= runAll()),
    request: (changed) => {
      for (const path of changed) reportedPaths.add(path);
      if (running === null) running = runAll();
      else void abortIfOutdated();
    },
    stop: async () => {
      abortController.abort();
      reportedPaths.clear();
      await running;
    },
  };
}
