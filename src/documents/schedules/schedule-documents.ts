import type { Transaction, Database } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import { readDatetime, readMoment } from '../../model/fields/date-value.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, ContentModel } from '../../model/model.js';
import { isDatabaseError, toUnavailableError } from '../../database/database-error.js';
import { createProcessLease, createServerState } from '../../database/server-state.js';
import { toPublicError } from '../../errors/project-errors.js';
import { coalesceRuns } from '../../lib/resources.js';
import { defaultSelection } from '../../query/parse/server-queries.js';
import { invalidKey, invalidValues } from '../validation/issues.js';
import type { DocumentContext } from '../document-context.js';
import type { Actor, Actors } from '../log/actors.js';
import type { ScheduleChange, ScheduleParams, DocumentService } from '../documents.js';
import {
  SCHEDULED_ACTIONS,
  listEntries,
  toSchedule,
  toScheduledChange,
  createScheduleStore,
  findDue,
} from './schedule-store.js';
import type {
  Schedule,
  ScheduleFilter,
  ScheduledAction,
  ScheduledChange,
  ScheduleEntry,
} from './schedule-store.js';
import { loadVersions, lockRows } from '../write/lock-documents.js';
import { transactWrite, joinTransaction } from '../document-context.js';
import { requireDrafts, resolveLocale } from '../write/write-params.js';
import { isWritable, writePermissionOf } from '../write/prepare-write.js';
import { assertCoversLocale, assertCoversPublished } from '../write/write-limits.js';

/** The new times of actions; null cancels an action. */
type ParsedChange = ReadonlyMap<ScheduledAction, Date | null>;

const timeKeyOf = (action: ScheduledAction): string => `${action}At`;

const issue = (action: ScheduledAction, message: string): ValidationIssue => ({
  path: [timeKeyOf(action)],
  message,
  name: 'ValidationError',
});

const toMoment = (value: unknown): Date | null => {
  if (value instanceof Date) return readMoment(value);
  return typeof value === 'string' ? readDatetime(value) : null;
};

/** @throws `request/missing-data`, `request/invalid-key`, `request/invalid-values` */
const parseChange = (data: unknown, now: Date): ParsedChange => {
  if (!isRecord(data)) throw createError('request/missing-data');
  const unknownKey = Object.keys(data).find(
    (key) => !SCHEDULED_ACTIONS.some((name) => timeKeyOf(name) === key),
  );
  if (unknownKey !== undefined) throw invalidKey(unknownKey);
  const issues: ValidationIssue[] = [];
  const change = new Map<ScheduledAction, Date | null>();
  for (const action of SCHEDULED_ACTIONS) {
    const value = data[timeKeyOf(action)];
    if (value === null) change.set(action, null);
    if (value === undefined || value === null) continue;
    const moment = toMoment(value);
    if (moment === null) issues.push(issue(action, 'must be a date and time like 2026-02-28T13:45:00.000Z'));
    else if (moment <= now) issues.push(issue(action, 'must be in the future'));
    else change.set(action, moment);
  }
  if (issues.length > 0) throw invalidValues(issues);
  return change;
};

interface Draft {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
}

const draftOf = (context: DocumentContext, { type: uid, documentId, locale }: ScheduleParams): Draft => {
  const type = requireDrafts(typeOf(context.model, uid), 'schedule');
  return { type, documentId, locale: resolveLocale(context, type, locale) };
};

/** True if the draft exists. Throws `request/forbidden` if the caller may read, but not update it. */
const isPermittedDraft = async (
  context: DocumentContext,
  tx: Transaction,
  { type, documentId, locale }: Draft,
  { access }: ScheduleParams,
): Promise<boolean> => {
  const rows = (await loadVersions(context, tx, type, [documentId])).get(documentId) ?? [];
  if (!rows.some((row) => row.locale === locale && row.status === 'draft')) return false;
  return isWritable(context, writePermissionOf(type, access, 'update'), tx, {
    documentId,
    locale,
    statuses: ['draft'],
    requireAll: true,
  });
};

const readSchedule = async (
  { schedules }: DocumentContext,
  tx: Transaction,
  { type, documentId, locale }: Draft,
): Promise<Schedule> =>
  toSchedule(
    { documentId, locale: type.localized ? locale : null },
    await schedules.find(tx, { type: type.uid, documentId, locale }),
  );

/** Rejects equal times for publishing and unpublishing, since their order would be random. */
const assertOrder = ({ publishAt, unpublishAt }: Schedule): void => {
  if (publishAt !== null && publishAt === unpublishAt)
    throw invalidValues([issue('unpublish', 'must be another time than publishAt')]);
};

/**
 * Schedules publishing and unpublishing one locale of a document. Returns null if it has no draft.
 *
 * @throws `request/drafts-only`, `request/locale-forbidden`, and the errors of invalid data
 */
export async function schedule(context: DocumentContext, params: ScheduleChange): Promise<Schedule | null> {
  const draft = draftOf(context, params);
  const { type, documentId, locale } = draft;
  const { accessScope } = writePermissionOf(type, params.access, 'update');
  assertCoversPublished(type, accessScope, 'a schedule publishes or unpublishes');
  assertCoversLocale(type, accessScope, locale);
  const change = parseChange(params.data, context.clock());
  return transactWrite(context, async (tx) => {
    if ((await lockRows(context, tx, type, [documentId])).length === 0) return null;
    if (!(await isPermittedDraft(context, tx, draft, params))) return null;
    const author = context.log?.actors.current().who ?? null;
    for (const [action, at] of change)
      await context.schedules.set(tx, {
        type: type.uid,
        documentId,
        locale,
        action,
        author,
        at: at === null ? null : at.getTime(),
      });
    const changed = await readSchedule(context, tx, draft);
    assertOrder(changed);
    const times = Object.fromEntries([...change].map(([action, at]) => [timeKeyOf(action), at]));
    const named = { type: type.uid, documentIds: [documentId], locale: changed.locale };
    await context.log?.record(tx, [{ action: 'schedule', ...named, details: times }]);
    return changed;
  });
}

/** Returns the schedule of one locale of a document, or null if it has no draft. */
export async function findSchedule(
  context: DocumentContext,
  params: ScheduleParams,
): Promise<Schedule | null> {
  const draft = draftOf(context, params);
  const covered = writePermissionOf(draft.type, params.access, 'update').accessScope?.locales;
  if (!isStorableText(draft.documentId) || covered?.has(draft.locale) === false) return null;
  return transactWrite(context, async (tx) =>
    (await isPermittedDraft(context, tx, draft, params)) ? readSchedule(context, tx, draft) : null,
  );
}

/** Lists scheduled changes, the earliest first. */
export async function listScheduled(
  context: DocumentContext,
  filter: ScheduleFilter,
): Promise<readonly ScheduledChange[]> {
  return (await listEntries(context.database, filter)).map(toScheduledChange);
}

/** Publishes and unpublishes documents at their times. One process at a time does so. */
export interface ScheduleRunner {
  /** Runs the changes that are due. */
  readonly look: () => Promise<void>;
  /** Stops, and waits for the running change. */
  readonly stop: () => Promise<void>;
}

/** Publishes releases whose time has come. */
interface DueReleases {
  /** Returns their names, the earliest first. */
  readonly due: (now: number) => Promise<readonly string[]>;
  /** Publishes one, unless it was published or postponed meanwhile. Returns true if it was published. */
  readonly publish: (name: string, now: number) => Promise<boolean>;
  /** Stores the reason why one was not published. */
  readonly fail: (name: string, reason: string) => Promise<void>;
}

interface ScheduleRunnerDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: Pick<DocumentService, 'publish' | 'unpublish'>;
  readonly clock?: () => Date;
  /** Knows on whose behalf code runs. */
  readonly actors?: Actors;
  /** Called after each change. */
  readonly onDone: (entry: ScheduleEntry) => void;
  /** Called for each abandoned change, with the public message and its cause. */
  readonly onFailed: (entry: ScheduleEntry, message: string, error: unknown) => void;
  readonly onError: (error: unknown) => void;
  /** Absent: no releases are published. */
  readonly releases?: DueReleases;
  /** Called for each published release, and for each that failed, with the public message and its cause. */
  readonly onRelease?: (
    name: string,
    failure: { readonly message: string; readonly error: unknown } | null,
  ) => void;
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

/** Returns the actor of a scheduled change. `who` is the caller who scheduled it. */
const scheduleActor = ({ author }: ScheduleEntry): Actor => ({
  kind: 'schedule',
  who: author,
  whoId: null,
  via: 'schedule',
  source: null,
  address: null,
});

/** Creates a function that runs one entry, and deletes it in the same transaction, so that it runs once. */
const createRunEntry = (
  dependencies: ScheduleRunnerDependencies,
  now: () => number,
): ((id: number) => Promise<void>) => {
  const { actors, database, onDone, onFailed } = dependencies;
  const store = createScheduleStore(database.dialect.expressions);
  return async (id) => {
    let taken: ScheduleEntry | null = null;
    try {
      const isDone = await joinTransaction(database, async () => {
        const entry = await database.transact((tx) => store.take(tx, id, now()));
        taken = entry;
        if (entry === null) return false;
        const run = () => perform(dependencies, entry);
        return actors === undefined ? run() : actors.run(scheduleActor(entry), run);
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

/** Publishes one release, or stores why it failed. */
const runRelease = async (
  { releases, onRelease }: ScheduleRunnerDependencies,
  name: string,
  now: number,
): Promise<void> => {
  try {
    if ((await releases?.publish(name, now)) === true) onRelease?.(name, null);
  } catch (error) {
    if (isTransient(error)) throw error;
    const message = messageOf(error);
    await releases?.fail(name, message);
    onRelease?.(name, { message, error });
  }
};

/** Starts the runner. It begins with changes that became due while no process ran. */
export function startScheduleRunner(dependencies: ScheduleRunnerDependencies): ScheduleRunner {
  const { database, clock = () => new Date(), onError, intervals } = dependencies;
  const { lookMs, leaseMs } = { ...INTERVALS, ...intervals };
  const now = (): number => clock().getTime();
  const runEntry = createRunEntry(dependencies, now);
  const lease = createProcessLease(createServerState(database), LEASE_KEY, leaseMs);
  let isStopped = false;
  const runReleases = async (): Promise<void> => {
    for (const name of (await dependencies.releases?.due(now())) ?? []) {
      if (isStopped || !(await lease.hold())) return;
      await runRelease(dependencies, name, now());
    }
  };
  const look = coalesceRuns(async () => {
    await runReleases();
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
