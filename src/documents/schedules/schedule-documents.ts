import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import { readDatetime, readMoment } from '../../model/fields/date-value.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import { invalidKey, invalidValues } from '../validation/issues.js';
import type { DocumentContext } from '../document-context.js';
import type { ScheduleChange, ScheduleParams } from '../documents.js';
import { SCHEDULED_ACTIONS, listEntries, toSchedule, toScheduledChange } from './schedule-store.js';
import type { Schedule, ScheduleFilter, ScheduledAction, ScheduledChange } from './schedule-store.js';
import { loadVersions, lockRows } from '../write/lock-documents.js';
import { transactWrite } from '../document-context.js';
import { requireDrafts, resolveLocale } from '../write/write-params.js';
import { isWritable, writePermissionOf } from '../write/prepare-write.js';

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

/** Schedules publishing and unpublishing one locale of a document. Returns null if it has no draft. */
export async function schedule(context: DocumentContext, params: ScheduleChange): Promise<Schedule | null> {
  const draft = draftOf(context, params);
  const change = parseChange(params.data, context.clock());
  const { type, documentId, locale } = draft;
  return transactWrite(context, async (tx) => {
    if ((await lockRows(context, tx, type, [documentId])).length === 0) return null;
    if (!(await isPermittedDraft(context, tx, draft, params))) return null;
    for (const [action, at] of change)
      await context.schedules.set(tx, {
        type: type.uid,
        documentId,
        locale,
        action,
        at: at === null ? null : at.getTime(),
      });
    const changed = await readSchedule(context, tx, draft);
    assertOrder(changed);
    return changed;
  });
}

/** Returns the schedule of one locale of a document, or null if it has no draft. */
export async function findSchedule(
  context: DocumentContext,
  params: ScheduleParams,
): Promise<Schedule | null> {
  const draft = draftOf(context, params);
  if (!isStorableText(draft.documentId)) return null;
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
