import type { Fingerprint } from './watched-files.js';

export interface RebuildQueueOptions {
  readonly readFingerprint: () => Promise<Fingerprint>;
  /** Resolves when no command is changing the files. */
  readonly waitForEdits: () => Promise<void>;
  /** True if the server itself wrote the file. */
  readonly isOwnWrite: (path: string) => boolean;
  /**
   * @param before the state of the files that the rebuild begins with
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
  /** Runs a rebuild, unless the last one has begun with these states of the files. */
  readonly request: (changed: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Creates the queue of a development server. Changes during a rebuild cause one more rebuild, except those
 * that the rebuild has seen or written. So a command that edits content-types and migrates causes one
 * rebuild, however its files are reported.
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
