import { stringify } from 'yaml';
import type { ContentDocument } from '../../transfer/store/content-store.js';
import { printCsv } from '../../lib/csv.js';
import type { ContentType } from '../../model/model.js';
import type { Style } from '../terminal/style.js';
import { printTable } from '../terminal/table.js';
import type { TableColumn } from '../terminal/table.js';
import { cellText, printValue, shortAttributes, titleAttribute } from './print-value.js';

export const DOCUMENT_FORMATS = ['table', 'json', 'jsonl', 'csv', 'yaml', 'ids'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** True if the draft of a document was published, and changed since. */
export type Publication = 'draft' | 'modified' | 'published';

/** The times at which one locale of a document is published and unpublished. */
export interface ScheduledAt {
  readonly documentId: string;
  readonly locale: string | null;
  readonly publishAt?: string;
  readonly unpublishAt?: string;
}

export interface DocumentList {
  readonly type: ContentType;
  readonly documents: readonly ContentDocument[];
  /** By documentId and locale. Empty for types without drafts. */
  readonly publications: ReadonlyMap<string, Publication>;
  /** The scheduled publications and unpublications, by documentId and locale. */
  readonly schedules: ReadonlyMap<string, ScheduledAt>;
  /** The attributes that were asked for. Empty: those that fit. */
  readonly fields: readonly string[];
}

/** Names one version in {@link DocumentList.publications}. */
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

const columnsOf = ({
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

/** Prints documents for people (a table) or for other programs. Returns empty text where there are none. */
export function printDocuments(list: DocumentList, format: DocumentFormat, style: Style): string {
  const { documents } = list;
  switch (format) {
    case 'table':
      return printTable(documents, columnsOf(list), style);
    case 'json':
      return JSON.stringify(documents, null, 2);
    case 'jsonl':
      return documents.map((document) => JSON.stringify(document)).join('\n');
    case 'csv':
      return documents.length === 0 ? '' : printCsvList(documents);
    case 'yaml':
      return documents.length === 0 ? '' : stringify(documents);
    case 'ids':
      return documents.map(({ documentId }) => documentId).join('\n');
  }
}
