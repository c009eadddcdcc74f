import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { ContentType, ScalarAttribute } from '../../model/model.js';
import type { Issue } from '../validation/issues.js';
import { isUnique, toJson } from '../validation/parse-scalar.js';
import { defined } from '../../lib/defined.js';
import { getOrCreate, memoizeWeakly } from '../../lib/memoize.js';
import { combineList, integerColumn, mapPrefetch, prefetchRows, textColumn } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from '../rows/table-statements.js';
import { findRow } from './write-context.js';
import type { WriteContext } from './write-context.js';

/** True if the write publishes a value that the document's published version does not have yet. */
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

interface NewValue {
  readonly attribute: ScalarAttribute;
  readonly value: StoredScalar;
}

export const uniqueAttributesOf = memoizeWeakly((type: ContentType): readonly ScalarAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is ScalarAttribute => attribute.family === 'scalar' && isUnique(attribute),
  ),
);

/** The unique values that the write publishes anew. */
const newlyPublished = (context: WriteContext, content: FieldValues): readonly NewValue[] =>
  uniqueAttributesOf(context.type).flatMap((attribute) => {
    const value = (content[attribute.column.field] ?? null) as StoredScalar;
    return value === null || !isNewlyPublished(context, attribute, value) ? [] : [{ attribute, value }];
  });

/** A document, and the content of its edited version after the write. */
interface WrittenContent {
  readonly context: WriteContext;
  readonly content: FieldValues;
}

interface OwnedValue extends NewValue {
  readonly context: WriteContext;
}

/** True unless the row is that of the value's own document. */
const isTakenBy = (
  owned: ReadonlyMap<string, OwnedValue>,
  { column: { field } }: ScalarAttribute,
  { id, documentId }: { readonly id: number; readonly documentId: string },
): boolean => {
  const own = owned.get(documentId);
  if (own === undefined) return true;
  // Another document of the batch may want the value that this one has and gives up.
  const row = own.context.rows.find((candidate) => candidate.id === id);
  return owned.size > 1 && !isDeepStrictEqual(row?.values[field], own.value);
};

const prefetchTakenOfAttribute = (
  attribute: ScalarAttribute,
  documents: readonly OwnedValue[],
): Prefetch<readonly Issue[]> => {
  const { context, value } = defined(documents[0], 'A document');
  const { expressions } = context.database.dialect;
  const { name, kind } = attribute.column;
  const values = documents.map((each) => each.value);
  const locales = new Set(documents.flatMap((each) => localesToCheck(each.context, attribute.localized)));
  const hasValue = expressions.inList(sql.id(name), kind, expressions.encodeList(kind, values));
  const hasLocale = expressions.inList(sql`locale`, 'text', expressions.encodeList('text', [...locales]));
  const rows = prefetchRows(
    { id: integerColumn(sql`id`), documentId: textColumn(sql`document_id`) },
    sql`${sql.id(context.type.storage.version.table)}
      where ${hasValue} and ${hasLocale} and status = 'published'`,
  );
  const owned = new Map(documents.map((each) => [each.context.documentId, each]));
  const issue: Issue = {
    path: [attribute.name],
    message: 'must be unique: another document has this value',
    value: attribute.private || attribute.field.hash !== undefined ? undefined : toJson(value),
  };
  return mapPrefetch(rows, (found) => (found.some((row) => isTakenBy(owned, attribute, row)) ? [issue] : []));
};

/**
 * Finds out whether other published documents have the unique values that are published, in the same locale.
 * Drafts may repeat them. The issues name the first document's values; a batch with issues is written one by
 * one.
 */
export function prefetchTakenValues(documents: readonly WrittenContent[]): Prefetch<readonly Issue[]> {
  const byAttribute = new Map<ScalarAttribute, OwnedValue[]>();
  for (const { context, content } of documents)
    for (const { attribute, value } of newlyPublished(context, content))
      getOrCreate(byAttribute, attribute, () => []).push({ context, attribute, value });
  const checks = [...byAttribute].map(([attribute, values]) => prefetchTakenOfAttribute(attribute, values));
  return mapPrefetch(combineList(checks), (issues) => issues.flat());
}
