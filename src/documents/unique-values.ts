import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { StoredScalar } from '../lib/stored-value.js';
import type { ContentType, ScalarAttribute } from '../model/model.js';
import type { Issue } from '../validation/issues.js';
import { isUnique, toJson } from '../validation/parse-scalar.js';
import { getOrCreate, memoizeWeakly } from '../lib/memoize.js';
import {
  combineList,
  integerColumn,
  mapPrefetch,
  prefetchRows,
  resolvedPrefetch,
  textColumn,
} from './prefetch.js';
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

/**
 * Finds out whether other published documents have the unique values that are published, in the same locale.
 * Drafts may repeat them.
 *
 * @param content the content of the edited version after the write
 */
export function prefetchTakenValues(context: WriteContext, content: FieldValues): Prefetch<readonly Issue[]> {
  const table = sql.id(context.type.storage.version.table);
  const checks = newlyPublished(context, content).map(({ attribute, value }) => {
    const rows = prefetchRows(
      { id: integerColumn(sql`id`) },
      sql`${table} where ${isTaken(context, attribute, value)}`,
    );
    const issue: Issue = {
      path: [attribute.name],
      message: 'must be unique: another document has this value',
      value: attribute.private || attribute.field.hash !== undefined ? undefined : toJson(value),
    };
    return mapPrefetch(rows, (found) => (found.length === 0 ? [] : [issue]));
  });
  return mapPrefetch(combineList(checks), (issues) => issues.flat());
}

/** A document, and the content of its edited version after the write. */
interface WrittenContent {
  readonly context: WriteContext;
  readonly content: FieldValues;
}

const prefetchTakenOfAttribute = (
  attribute: ScalarAttribute,
  documents: readonly (NewValue & { readonly context: WriteContext })[],
): Prefetch<boolean> => {
  const [first] = documents;
  if (first === undefined) return resolvedPrefetch(false);
  const { type, database } = first.context;
  const { expressions } = database.dialect;
  const { name, kind, field } = attribute.column;
  const values = documents.map(({ value }) => value);
  const locales = new Set(documents.flatMap(({ context }) => localesToCheck(context, attribute.localized)));
  const hasValue = expressions.inList(sql.id(name), kind, expressions.encodeList(kind, values));
  const hasLocale = expressions.inList(sql`locale`, 'text', expressions.encodeList('text', [...locales]));
  const rows = prefetchRows(
    { id: integerColumn(sql`id`), documentId: textColumn(sql`document_id`) },
    sql`${sql.id(type.storage.version.table)} where ${hasValue} and ${hasLocale} and status = 'published'`,
  );
  const own = new Map(documents.map((document) => [document.context.documentId, document]));
  return mapPrefetch(rows, (found) =>
    found.some(({ id, documentId }) => {
      const document = own.get(documentId);
      const row = document?.context.rows.find((candidate) => candidate.id === id);
      return !isDeepStrictEqual(row?.values[field], document?.value);
    }),
  );
};

/** Like {@link prefetchTakenValues} for documents of one type: whether any of them may have a taken value. */
export function prefetchAnyTaken(documents: readonly WrittenContent[]): Prefetch<boolean> {
  const byAttribute = new Map<ScalarAttribute, (NewValue & { readonly context: WriteContext })[]>();
  for (const { context, content } of documents)
    for (const { attribute, value } of newlyPublished(context, content))
      getOrCreate(byAttribute, attribute, () => []).push({ context, attribute, value });
  const checks = [...byAttribute].map(([attribute, values]) => prefetchTakenOfAttribute(attribute, values));
  return mapPrefetch(combineList(checks), (found) => found.some(Boolean));
}
