import { SCHEDULED_ACTIONS } from '../../documents/schedules/schedule-store.js';
import type { ForeignRow } from '../../database/dialect/foreign-database.js';
import { defined } from '../../lib/defined.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import type { EditorialRecord } from '../source.js';
import { readRows } from '../strapi/live/pages.js';
import { readNumber, readText } from '../strapi/live/values.js';
import type { OwnDatabase } from './own-database.js';

const SCHEDULES = {
  table: 'cms_schedules',
  columns: ['type', 'document_id', 'locale', 'action', 'at', 'error'],
};

const VERSIONS = {
  table: 'cms_versions',
  columns: ['type', 'document_id', 'locale', 'number', 'published_at', 'content'],
};

const localeOf = (row: ForeignRow) => ({
  type: readText(row['type']) ?? '',
  documentId: readText(row['document_id']) ?? '',
  locale: readText(row['locale']) ?? '',
});

const toSchedule = (row: ForeignRow): EditorialRecord => ({
  kind: 'schedule',
  ...localeOf(row),
  action: defined(
    SCHEDULED_ACTIONS.find((action) => action === row['action']),
    'An action',
  ),
  at: readNumber(row['at']),
  error: readText(row['error']),
});

const toVersion = (row: ForeignRow): EditorialRecord => ({
  kind: 'version',
  ...localeOf(row),
  number: readNumber(row['number']),
  publishedAt: readNumber(row['published_at']),
  content: readText(row['content']) ?? '{}',
});

/** Reads what is scheduled, and the published versions that are kept. */
export async function* readEditorial(
  { database, model }: OwnDatabase,
  isSelected: (type: ContentType) => boolean,
): AsyncGenerator<EditorialRecord> {
  const isExported = ({ type }: EditorialRecord): boolean =>
    Object.hasOwn(model.typesByUid, type) && isSelected(typeOf(model, type));
  for (const [query, toRecord] of [
    [SCHEDULES, toSchedule],
    [VERSIONS, toVersion],
  ] as const)
    for await (const row of readRows(database, query)) {
      const record = toRecord(row);
      if (isExported(record)) yield record;
    }
}
