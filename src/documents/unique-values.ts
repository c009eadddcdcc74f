import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { StoredScalar } from '../lib/stored-value.js';
import type { ScalarAttribute, VersionStatus } from '../model/model.js';
import type { Issue } from '../validation/issues.js';
import { isUnique } from '../validation/parse-scalar.js';
import { combineList, integerColumn, mapPrefetch, prefetchRows } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from './rows/table-statements.js';
import type { VersionRow } from './rows/version-statements.js';
import { primaryRow, primaryStatus, publishedRow } from './write-context.js';
import type { WriteContext } from './write-context.js';

const isNewValue = (row: VersionRow | undefined, field: string, value: unknown): boolean =>
  row === undefined || !isDeepStrictEqual(row.values[field], value);

/** Returns the written statuses in which the document does not have the value yet. */
const statusesToCheck = (
  context: WriteContext,
  { column }: ScalarAttribute,
  value: unknown,
): readonly VersionStatus[] => {
  const primary: readonly VersionStatus[] = isNewValue(primaryRow(context), column.field, value)
    ? [primaryStatus(context.type)]
    : [];
  const isPublished =
    context.type.draftAndPublish && context.publish && isNewValue(publishedRow(context), column.field, value);
  return isPublished ? [...primary, 'published'] : primary;
};

/** Returns the locales that get the value. A value that is not localised is written to all of them. */
export function localesToCheck(
  { type, locale, rows }: WriteContext,
  isLocalized: boolean,
): readonly string[] {
  if (!type.localized || isLocalized) return [locale];
  return [...new Set([locale, ...rows.map((row) => row.locale)])];
}

const isTaken = (
  context: WriteContext,
  attribute: ScalarAttribute,
  value: StoredScalar,
  statuses: readonly VersionStatus[],
): RawBuilder<unknown> => {
  const { expressions } = context.database.dialect;
  const { name, kind } = attribute.column;
  const locales = localesToCheck(context, attribute.localized);
  const hasValue = sql`${sql.id(name)} = ${expressions.parameter(kind, expressions.encode(kind, value))}`;
  const hasLocale = expressions.inList(sql`locale`, 'text', expressions.encodeList('text', locales));
  const hasStatus = expressions.inList(sql`status`, 'text', expressions.encodeList('text', statuses));
  return sql`${hasValue} and ${hasLocale} and ${hasStatus} and document_id <> ${context.documentId}`;
};

/**
 * Finds out whether other documents have the unique values that are written, in the same locale and status.
 *
 * @param content the content of the edited version after the write
 */
export function prefetchTakenValues(context: WriteContext, content: FieldValues): Prefetch<readonly Issue[]> {
  const table = sql.id(context.type.storage.version.table);
  const checks = Object.values(context.type.attributes).flatMap((attribute) => {
    if (attribute.family !== 'scalar' || !isUnique(attribute)) return [];
    const value = (content[attribute.column.field] ?? null) as StoredScalar;
    const statuses = value === null ? [] : statusesToCheck(context, attribute, value);
    if (statuses.length === 0) return [];
    const rows = prefetchRows(
      { id: integerColumn(sql`id`) },
      sql`${table} where ${isTaken(context, attribute, value, statuses)}`,
    );
    const issue: Issue = {
      path: [attribute.name],
      message: 'must be unique: another document has this value',
    };
    return [mapPrefetch(rows, (found) => (found.length === 0 ? [] : [issue]))];
  });
  return mapPrefetch(combineList(checks), (issues) => issues.flat());
}
