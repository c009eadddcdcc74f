import type { Database } from '../database/database.js';
import type { ContentModel } from '../model/model.js';
import { readAccessVersion } from './change-access.js';
import { loadSnapshot } from './snapshot.js';
import type { AccessSnapshot } from './snapshot.js';

/** The latest snapshot, which follows the changes of all processes. */
export interface SnapshotFollower {
  readonly current: () => AccessSnapshot;
  /** Loads what was committed before the call. Concurrent calls share a check. */
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface FollowOptions {
  readonly database: Database;
  readonly model: ContentModel;
  /** Used as long as the database has no default locale. */
  readonly defaultLocale: string;
  /** Milliseconds between two checks; null: only `refresh` checks. */
  readonly pollInterval: number | null;
  /** Receives the errors of checks that no caller waits for. The previous snapshot then stays. */
  readonly onError: (error: unknown) => void;
}

/** Runs `check` once at a time. A call during a check waits for the next one, which all such calls share. */
const shareChecks = (check: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    next = null;
    running = check().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return run();
    next ??= running.then(run, run);
    return next;
  };
};

/** Loads the snapshot and checks regularly for changes. */
export async function followSnapshot(options: FollowOptions): Promise<SnapshotFollower> {
  const { database, model, defaultLocale, pollInterval, onError } = options;
  let snapshot = await loadSnapshot(database, model, defaultLocale);
  const refresh = shareChecks(async () => {
    if ((await readAccessVersion(database)) !== snapshot.accessVersion)
      snapshot = await loadSnapshot(database, model, defaultLocale);
  });
  let pending: Promise<void> | null = null;
  const poll = async (): Promise<void> => {
    await refresh().catch(onError);
    pending = null;
  };
  const timer =
    pollInterval === null
      ? undefined
      : setInterval(() => {
          pending ??= poll();
        }, pollInterval).unref();
  return {
    current: () => snapshot,
    refresh,
    close: async () => {
      clearInterval(timer);
      await pending;
    },
  };
}
