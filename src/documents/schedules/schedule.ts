import { NO_LOCALE } from '../../model/model.js';
import type { Uid } from '../../model/model.js';
import { SCHEDULED_ACTIONS } from './schedule-store.js';
import type { ScheduledAction, ScheduleEntry } from './schedule-store.js';

/** Scheduled change that failed. */
interface ScheduleFailure {
  readonly action: ScheduledAction;
  readonly at: string;
  readonly message: string;
}

/** When one locale of a document is to be published and unpublished. Times are ISO text. */
export interface Schedule {
  readonly documentId: string;
  /** Null: its type is not localised. */
  readonly locale: string | null;
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
  readonly failures: readonly ScheduleFailure[];
}

/** Pending or failed change of one locale of a document, in the form that clients see. */
export interface ScheduledChange {
  readonly type: Uid;
  readonly documentId: string;
  /** Null: its type is not localised. */
  readonly locale: string | null;
  readonly action: ScheduledAction;
  readonly at: string;
  /** Reason that it was abandoned. Null: it is pending. */
  readonly error: string | null;
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** Returns what the entries of one locale of a document say. */
export function toSchedule(
  { documentId, locale }: Pick<Schedule, 'documentId' | 'locale'>,
  entries: readonly ScheduleEntry[],
): Schedule {
  const pendingAt = (action: ScheduledAction): string | null => {
    const entry = entries.find((candidate) => candidate.action === action && candidate.error === null);
    return entry === undefined ? null : timeOf(entry.at);
  };
  return {
    documentId,
    locale,
    publishAt: pendingAt(SCHEDULED_ACTIONS[0]),
    unpublishAt: pendingAt(SCHEDULED_ACTIONS[1]),
    failures: entries.flatMap(({ action, at, error }) =>
      error === null ? [] : [{ action, at: timeOf(at), message: error }],
    ),
  };
}

/** Returns what an entry says. */
export function toScheduledChange({
  type,
  documentId,
  locale,
  action,
  at,
  error,
}: ScheduleEntry): ScheduledChange {
  return {
    type,
    documentId,
    locale: locale === NO_LOCALE ? null : locale,
    action,
    at: timeOf(at),
    error,
  };
}
