import type { ScheduledAction } from '../../documents/schedules/schedule-store.js';
import { printCsv } from '../../lib/text.js';
import type { ContentType } from '../../model/model.js';
import type { ContentDocument, ContentStore } from '../../transfer/store/content-store.js';
import type { Style } from '../terminal/terminal.js';
import { printTable } from '../terminal/text-layout.js';
import type { TableColumn } from '../terminal/text-layout.js';
import type { DraftName } from './find-document.js';
import { cellText, printValue, shortAttributes, titleAttribute } from './print-value.js';

export const DOCUMENT_FORMATS = ['table', 'json', 'jsonl', 'csv', 'yaml', 'ids'] as const;
type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** The publication state of the draft of a document. */
export type Publication = 'draft' | 'modified' | 'published';

/** The scheduled times of publication and unpublication of one locale of a document. */
interface ScheduledAt {
  readonly documentId: string;
  readonly locale: string | null;
  readonly publishAt?: string;
  readonly unpublishAt?: string;
}

interface DocumentList {
  readonly type: ContentType;
  readonly documents: readonly ContentDocument[];
  /** By documentId and locale. Empty for types without drafts. */
  readonly publications: ReadonlyMap<string, Publication>;
  /** The scheduled publications and unpublications, by documentId and locale. */
  readonly schedules: ReadonlyMap<string, ScheduledAt>;
  /** The requested attributes. Empty to print those with short values. */
  readonly fields: readonly string[];
}

/** Returns the key of a version in {@link DocumentList.publications}. */
export function versionKey({ documentId, locale }: ContentDocument): string {
  return `${documentId} ${cellText(locale)}`;
}

const shortTime = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 16).replace('T', ' ') : '';

const scheduleText = ({ publishAt, unpublishAt }: Partial<ScheduledAt> = {}): string =>
  [
    publishAt === undefined ? '' : `publish ${shortTime(publishAt)}`,
    unpublishAt === undefined ? '' : `unpublish ${shortTime(unpublishAt)}`,
  ]
    .filter((text) => text !== '')
    .join(', ');

const documentColumns = ({
  type,
  publications,
  schedules,
  fields,
}: DocumentList): readonly TableColumn<ContentDocument>[] => {
  const title = titleAttribute(type);
  const names =
    fields.length > 0
      ? fields
      : [...(title === null ? [] : [title]), ...shortAttributes(type).filter((name) => name !== title)];
  return [
    { header: 'ID', value: ({ documentId }) => documentId },
    ...names.map((name, index) => ({
      header: name.toUpperCase(),
      value: (document: ContentDocument) => printValue(document[name]),
      optional: fields.length === 0 && index > 0,
    })),
    ...(type.draftAndPublish
      ? [{ header: 'STATUS', value: (d: ContentDocument) => publications.get(versionKey(d)) ?? 'published' }]
      : []),
    ...(schedules.size > 0
      ? [{ header: 'SCHEDULED', value: (d: ContentDocument) => scheduleText(schedules.get(versionKey(d))) }]
      : []),
    ...(type.localized
      ? [{ header: 'LOCALE', value: ({ locale }: ContentDocument) => printValue(locale) }]
      : []),
    { header: 'UPDATED', value: ({ updatedAt }) => shortTime(updatedAt), optional: true },
  ];
};

const printCsvList = (documents: readonly ContentDocument[]): string => {
  const names = [...new Set(documents.flatMap((document) => Object.keys(document)))];
  return printCsv([names, ...documents.map((document) => names.map((name) => cellText(document[name])))]);
};

/** Prints documents for people (a table) or for other programs. Returns empty text if there are none. */
export async function printDocuments(
  list: DocumentList,
  format: DocumentFormat,
  style: Style,
): Promise<string> {
  const { documents } = list;
  switch (format) {
    case 'table':
      return printTable(documents, documentColumns(list), style);
    case 'json':
      return JSON.stringify(documents, null, 2);
    case 'jsonl':
      return documents.map((document) => JSON.stringify(document)).join('\n');
    case 'csv':
      return documents.length === 0 ? '' : printCsvList(documents);
    case 'yaml': {
      const { stringify } = await import('yaml');
      return documents.length === 0 ? '' : stringify(documents);
    }
    case 'ids':
      return documents.map(({ documentId }) => documentId).join('\n');
  }
}

/** Finds the publication states of drafts: published, or changed since. */
export async function findPublications(
  store: ContentStore,
  type: ContentType,
  documents: readonly ContentDocument[],
): Promise<ReadonlyMap<string, Publication>> {
  if (!type.draftAndPublish || documents.length === 0) return new Map();
  const documentIds = documents.map(({ documentId }) => documentId);
  const versionKeys = async (publicationFilter: string): Promise<ReadonlySet<string>> => {
    const found = await store.find(type.uid, {
      filters: { documentId: { $in: documentIds } },
      fields: ['documentId', ...(type.localized ? ['locale'] : [])],
      locale: '*',
      publicationFilter,
    });
    return new Set(found.map(versionKey));
  };
  const published = await versionKeys('has-published-version');
  const modified = await versionKeys('modified');
  const publicationOf = (key: string): Publication => {
    if (!published.has(key)) return 'draft';
    return modified.has(key) ? 'modified' : 'published';
  };
  return new Map(documents.map(versionKey).map((key) => [key, publicationOf(key)]));
}

/** Finds the pending schedules of listed documents, by version key. */
export async function findSchedules(
  store: ContentStore,
  type: ContentType,
  documents: readonly ContentDocument[],
): Promise<ReadonlyMap<string, ScheduledAt>> {
  if (!type.draftAndPublish || documents.length === 0) return new Map();
  const documentIds = documents.map(({ documentId }) => documentId);
  const found = new Map<string, ScheduledAt>();
  for (const { documentId, locale, action, at, error } of await store.listScheduled({
    type: type.uid,
    documentIds,
  })) {
    if (error !== null) continue;
    const key = versionKey({ documentId, locale });
    found.set(key, { ...found.get(key), documentId, locale, [`${action}At`]: at });
  }
  return found;
}

interface PlannedAction {
  readonly action: ScheduledAction;
  readonly at: string;
  /** The reason why the action failed at its time. Absent if its time has not come. */
  readonly error?: string;
}

/** A document's status and schedule. Empty for types without drafts. */
export interface DocumentState {
  readonly status?: Publication;
  readonly schedule?: readonly PlannedAction[];
}

/** Finds the publication state of a document in a locale, and its schedule. */
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

/** Returns a state as keys of a printed document. No attribute can have these names. */
export function printState({ status, schedule = [] }: DocumentState): Readonly<Record<string, unknown>> {
  return {
    ...(status === undefined ? {} : { $status: status }),
    ...(schedule.length === 0 ? {} : { $schedule: schedule }),
  };
}
