import * as Flags from '@oclif/core/flags';
import { draftVerb, requireDrafts, requireLocale } from '../../documents/write/write-params.js';
import { createError } from '../../errors/catalogue.js';
import { MINUTE_MS } from '../../lib/units.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import type { ContentWrite } from '../../transfer/store/content-store.js';
import { dryRunFlag } from '../flags.js';
import type { Outcome } from '../outcome.js';
import { remoteFlag } from '../project/command-target.js';
import type { ContentProject } from '../project/command-target.js';
import type { Warn } from '../project/with-app.js';
import { printTime } from '../terminal/text-layout.js';
import { resolveDocument, unknownDocument } from './find-document.js';
import { ifMatchFlag, runWrites } from './save-document.js';
import { openContent, readContent } from './with-content.js';

type DraftAction = Exclude<ContentWrite['action'], 'create' | 'update' | 'delete'>;

const RESULT_TEXTS: Readonly<Record<DraftAction, { readonly done: string; readonly planned: string }>> = {
  publish: { done: 'Published', planned: 'Would publish' },
  unpublish: { done: 'Unpublished', planned: 'Would unpublish' },
  discardDraft: { done: 'Discarded the draft of', planned: 'Would discard the draft of' },
};

interface VersionChange {
  /** The content-type's uid or short name. */
  readonly type: string;
  /** The documentId or another name. Undefined for single types. */
  readonly document: string | undefined;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
  readonly isDryRun: boolean;
  readonly ifMatch?: string | undefined;
  readonly warn: Warn;
}

export const versionChangeFlags = {
  locale: Flags.string({ description: 'Locale of the version. [default: the default locale]' }),
  ...ifMatchFlag,
  ...remoteFlag,
  ...dryRunFlag,
};

/**
 * Publishes or unpublishes one document, or discards its draft, like the server: with the project's hooks, in
 * one transaction.
 *
 * @throws `content/unknown-document`, `request/invalid-parameter`, `request/unknown-locale`, and the errors
 *   of validating the draft
 */
export async function changeVersion(
  project: ContentProject,
  action: DraftAction,
  { type: name, document, locale, isDryRun, ifMatch, warn }: VersionChange,
): Promise<Outcome> {
  const type = requireLocale(
    requireDrafts(resolveType(project.model.types, name), draftVerb(action)),
    locale,
  );
  return openContent(project, { warn, isDryRun }, async (store) => {
    const documentId = await resolveDocument(store, type, document);
    const write = { action, documentId, ifMatch, ...(locale === undefined ? {} : { locale }) };
    const [written] = await runWrites(store, type, [write], isDryRun);
    const { done, planned } = RESULT_TEXTS[action];
    const suffix = locale === undefined ? '' : ` in ${locale}`;
    return {
      json: isDryRun
        ? { action, type: type.uid, documentId, dryRun: true }
        : { action, type: type.uid, document: written?.document ?? null },
      text: `${isDryRun ? planned : done} ${type.uid} ${documentId}${suffix}.`,
    };
  });
}

const LOCAL = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const SPAN = /^(\d{1,6})\s*(m|h|d|w)$/i;

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };

/** Parses a local time. Without an offset, the time zone of this machine applies; a date is its midnight. */
const readLocal = (text: string): Date | null => {
  if (!LOCAL.test(text)) return null;
  const moment = new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'));
  if (Number.isNaN(moment.getTime())) return null;
  // Otherwise the 31st of a shorter month would become the first of the next one.
  const day = Number(text.slice(8, 10));
  return day > 28 && new Date(`${text.slice(0, 10)}T00:00`).getDate() !== day ? null : moment;
};

/**
 * Parses a future time: `2026-12-01T09:00`, `2h` or `3d`. Returns null for `never`.
 *
 * @throws `cli/invalid-usage`
 */
export function parseMoment(text: string, now: Date = new Date()): Date | null {
  if (text === 'never') return null;
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  const moment =
    count === undefined
      ? readLocal(text)
      : new Date(now.getTime() + Number(count) * (MINUTES[unit.toLowerCase()] ?? 0) * MINUTE_MS);
  if (moment !== null) return moment;
  throw createError('cli/invalid-usage', {
    reason: `--at ${JSON.stringify(text)} is not a time.`,
    remedy: 'Write a time like 2026-12-01T09:00, a span like 30m, 2h, 3d or 1w, or never.',
  });
}

export const atFlag = {
  at: Flags.string({
    description: 'Time at which a server does it: 2026-12-01T09:00 (local time), 2h, 3d, or never to cancel.',
    helpValue: '<time>',
    exclusive: ['if-match'],
  }),
};

const SCHEDULED_ACTIONS = {
  publish: { key: 'publishAt', done: 'published' },
  unpublish: { key: 'unpublishAt', done: 'unpublished' },
} as const;

/**
 * Schedules the publication or unpublication of one document, or cancels it.
 *
 * @throws `cli/invalid-usage`, `content/unknown-document`, `request/invalid-parameter`,
 *   `request/invalid-values`
 */
export async function scheduleVersion(
  project: ContentProject,
  action: keyof typeof SCHEDULED_ACTIONS,
  { type: name, document, locale, isDryRun, at }: Omit<VersionChange, 'warn'> & { readonly at: string },
): Promise<Outcome> {
  const type = requireLocale(requireDrafts(resolveType(project.model.types, name), action), locale);
  const date = parseMoment(at);
  if (date !== null && date <= new Date())
    throw createError('cli/invalid-usage', {
      reason: '--at must be in the future.',
      remedy: `Without --at, cms content ${action} does it now.`,
    });
  const moment = date?.toISOString() ?? null;
  const { key, done } = SCHEDULED_ACTIONS[action];
  return readContent(project, async (store) => {
    const documentId = await resolveDocument(store, type, document);
    const suffix = locale === undefined ? '' : ` in ${locale}`;
    const schedule = await store.schedule(
      type.uid,
      documentId,
      { locale, data: { [key]: moment } },
      { isDryRun },
    );
    if (schedule === null) throw unknownDocument(type, documentId, suffix);
    const would = isDryRun ? 'would be' : 'will be';
    const outcome =
      moment === null
        ? `${isDryRun ? 'would no longer be' : 'is no longer'} scheduled to be ${done}`
        : `${would} ${done} on ${printTime(moment)} UTC`;
    return {
      json: {
        action: 'schedule',
        type: type.uid,
        documentId,
        ...(isDryRun ? { [key]: moment, dryRun: true } : { schedule }),
      },
      text: `${type.uid} ${documentId}${suffix} ${outcome}.`,
    };
  });
}
