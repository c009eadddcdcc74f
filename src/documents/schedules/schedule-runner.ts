import { isDatabaseError, toUnavailableError } from '../../database/database-error.js';
import type { Database } from '../../database/database.js';
import { createProcessLease, createServerState } from '../../database/server-state.js';
import type { DocumentService } from '../documents.js';
import { createScheduleStore, findDue } from './schedule-store.js';
import type { ScheduleEntry } from './schedule-store.js';
import { joinTransaction } from '../document-context.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { toPublicError } from '../../errors/project-errors.js';
import { coalesceRuns } from '../../lib/resources.js';
import type { ContentModel } from '../../model/model.js';
import { NO_LOCALE } from '../../model/model.js';
import { defaultSelection } from '../../query/parse/server-queries.js';

/** Publishes and unpublishes documents at their times. One process at a time does so. */
export interface ScheduleRunner {
  /** Runs the changes that are due. */
  readonly look: () => Promise<void>;
  /** Stops, and waits for the running change. */
  readonly stop: () => Promise<void>;
}

export interface ScheduleRunnerDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: Pick<DocumentService, 'publish' | 'unpublish'>;
  readonly clock?: () => Date;
  /** Called after each change. */
  readonly onDone: (entry: ScheduleEntry) => void;
  /** Called for each abandoned change, with the public message and its cause. */
  readonly onFailed: (entry: ScheduleEntry, message: string, error: unknown) => void;
  readonly onError: (error: unknown) => void;
  readonly intervals?: Partial<RunnerIntervals>;
}

interface RunnerIntervals {
  /** Interval between checks for due changes. */
  readonly lookMs: number;
  /** Time after which another process replaces one that has ended. */
  readonly leaseMs: number;
}

const INTERVALS: RunnerIntervals = { lookMs: 1000, leaseMs: 10_000 };
const LEASE_KEY = 'schedules/runner';
const BATCH_SIZE = 50;

/** True if the change could succeed a moment later. */
const isTransient = (error: unknown): boolean =>
  isGalleyError(error)
    ? error.kind === 'unavailable'
    : isDatabaseError(error) && toUnavailableError(error) !== null;

const messageOf = (error: unknown): string => {
  const publicError = isGalleyError(error) ? error : toPublicError(error);
  return publicError?.message ?? 'It failed. See the log of the server for the reason.';
};

/**
 * Runs one change. Returns false if the document, its type or the drafts of that no longer exist, since
 * nobody could cancel such an entry.
 */
const perform = async (
  { documents, model }: ScheduleRunnerDependencies,
  { type, action, documentId, locale }: ScheduleEntry,
): Promise<boolean> => {
  if (model.typesByUid[type]?.draftAndPublish !== true) return false;
  const written = await documents[action]({
    type,
    documentId,
    locale: locale === NO_LOCALE ? undefined : locale,
    selection: defaultSelection(model, type),
  });
  return written !== null;
};

/** Creates a function that runs one entry, and deletes it in the same transaction, so that it runs once. */
const createRunEntry = (
  dependencies: ScheduleRunnerDependencies,
  now: () => number,
): ((id: number) => Promise<void>) => {
  const { database, onDone, onFailed } = dependencies;
  const store = createScheduleStore(database.dialect.expressions);
  return async (id) => {
    let taken: ScheduleEntry | null = null;
    try {
      const isDone = await joinTransaction(database, async () => {
        taken = await database.transact((tx) => store.take(tx, id, now()));
        return taken !== null && perform(dependencies, taken);
      });
      if (isDone && taken !== null) onDone(taken);
    } catch (error) {
      const failed: ScheduleEntry | null = taken;
      if (failed === null || isTransient(error)) throw error;
      const message = messageOf(error);
      await database.transact((tx) => store.fail(tx, failed, message));
      onFailed(failed, message, error);
    }
  };
};

/** Starts the runner. It begins with changes that became due while no process ran. */
export function startScheduleRunner(dependencies: ScheduleRunnerDependencies): ScheduleRunner {
  const { database, clock = () => new Date(), onError, intervals } = dependencies;
  const { lookMs, leaseMs } = { ...INTERVALS, ...intervals };
  const now = (): number => clock().getTime();
  const runEntry = createRunEntry(dependencies, now);
  const lease = createProcessLease(createServerState(database), LEASE_KEY, leaseMs);
  let isStopped = false;
  const look = coalesceRuns(async () => {
    while (!isStopped) {
      const due = await findDue(database, now(), BATCH_SIZE);
      if (due.length === 0) return;
      for (const id of due) {
        if (isStopped || !(await lease.hold())) return;
        await runEntry(id);
      }
    }
  }, onError);
  const timer = setInterval(() => void look(), lookMs).unref();
  void look();
  return {
    look,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await look();
      await lease.release().catch(onError);
    },
  };
}
