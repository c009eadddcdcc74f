import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { StoredScalar } from '../lib/stored-value.js';
import type { ScalarAttribute } from '../model/model.js';
import type { Issue } from '../validation/issues.js';
import { isUnique } from '../validation/parse-scalar.js';
import { combineList, integerColumn, mapPrefetch, prefetchRows } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from './rows/table-statements.js';
import { findRow } from './write-context.js';
import type { WriteContext } from './write-context.js';

/** Whether the write publishes a value that the document's published version does not have yet. */
const isNewlyPublished = (context: WriteContext, { column }: ScalarAttribute, value: unknown): boolean => {
  const row = findRow(context, context.locale, 'published');
  return context.publish && (row === undefined || !isDeepStrictEqual(row.values[column.field], value));
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
): RawBuilder<unknown> => {
  const { expressions } = context.database.dialect;
  const { name, kind } = attribute.column;
  const locales = localesToCheck(context, attribute.localized);
  const hasValue = sql`${sql.id(name)} = ${expressions.parameter(kind, expressions.encode(kind, value))}`;
  const hasLocale = expressions.inList(sql`locale`, 'text', expressions.encodeList('text', locales));
  return sql`${hasValue} and ${hasLocale} and status = 'published' and document_id <> ${context.documentId}`;
};

/**
 * Finds out whether other published documents have the unique values that are published, in the same locale.
 * Drafts may repeat them.
 *
 * @param content the content of the edited version after the write
 */
export function prefetchTakenValues(context: WriteContext, content: FieldValues): Prefetch<readonly Issue[]> {
  const table = sql.id(context.type.storage.version.table);
  const checks = Object.values(context.type.attributes).flatMap((attribute) => {
    if (attribute.family !== 'scalar' || !isUnique(attribute)) return [];
    const value = (content[attribute.column.field] ?? null) as StoredScalar;
    if (value === null || !isNewlyPublished(context, attribute, value)) return [];
    const rows = prefetchRows(
      { id: integerColumn(sql`id`) },
      sql`${table} where ${isTaken(context, attribute, value)}`,
    );
    const issue: Issue = {
      path: [attribute.name],
      message: 'must be unique: another document has this value',
    };
    return [mapPrefetch(rows, (found) => (found.length === 0 ? [] : [issue]))];
  });
  return mapPrefetch(combineList(checks), (issues) => issues.flat());
}
