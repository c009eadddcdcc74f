import type { ContentStore } from '../../transfer/store/content-store.js';
import { FILE_KEYS } from '../../transfer/files/print-content.js';
import type { ScheduledAction } from '../../documents/schedules/schedule-store.js';
import type { ContentType } from '../../model/model.js';
import { findPublications } from './find-publications.js';
import { versionKey } from './print-documents.js';
import type { Publication } from './print-documents.js';
import type { DraftName } from './read-draft.js';

interface PlannedAction {
  readonly action: ScheduledAction;
  readonly at: string;
  /** The reason why it could not be done at its time. Absent: its time is to come. */
  readonly error?: string;
}

/** A document's status and schedule. Empty for types without drafts. */
export interface DocumentState {
  readonly status?: Publication;
  readonly schedule?: readonly PlannedAction[];
}

/** Finds whether a document is published in a locale, and what is scheduled for it. */
export async function findDocumentState(
  store: ContentStore,
  type: ContentType,
  { documentId, locale }: DraftName,
): Promise<DocumentState> {
  if (!type.draftAndPublish) return {};
  const defaultLocale = (await store.locales()).find(({ isDefault }) => isDefault)?.code;
  const version = { documentId, locale: type.localized ? (locale ?? defaultLocale) : null };
  const publications = await findPublications(store, type, [version]);
  const changes = await store.listScheduled({ type: type.uid, documentIds: [documentId] });
  return {
    status: publications.get(versionKey(version)) ?? 'published',
    schedule: changes
      .filter((change) => versionKey({ documentId, locale: change.locale }) === versionKey(version))
      .map(({ action, at, error }) => ({ action, at, ...(error === null ? {} : { error }) })),
  };
}

/** Returns a state as keys of a printed document, which no attribute can have. */
export function printState({ status, schedule = [] }: DocumentState): Readonly<Record<string, unknown>> {
  return {
    ...(status === undefined ? {} : { [FILE_KEYS.status]: status }),
    ...(schedule.length === 0 ? {} : { $schedule: schedule }),
  };
}
