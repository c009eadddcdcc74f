import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { defined } from '../../lib/assert.js';
import { getOrCreate, memoizeWeakly, groupBy } from '../../lib/collections.js';
import type { ColumnKind, JsonValue, StoredScalar } from '../../lib/stored-value.js';
import type { ContentType, ScalarAttribute } from '../../model/model.js';
import type { ComponentStep, ComponentUnique, ParsedInput } from '../validation/input.js';
import type { Issue } from '../validation/issues.js';
import { isUnique, toJson } from '../validation/parse-scalar.js';
import {
  combineList,
  integerColumn,
  mapPrefetch,
  nullableTextColumn,
  prefetchRows,
  resolvedPrefetch,
  textColumn,
} from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from './table-statements.js';
import { BatchConflict, findRow } from './write-context.js';
import type { WriteContext } from './write-context.js';

/** True if the write publishes a value that the document's published version does not have yet. */
const isNewlyPublished = (context: WriteContext, { column }: ScalarAttribute, value: unknown): boolean => {
  const row = findRow(context, context.locale, 'published');
  return context.publish && (row === undefined || !isDeepStrictEqual(row.values[column.field], value));
};

/** Returns the locales to which the value is written: all, if it is not localised. */
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

const uniqueAttributesOf = memoizeWeakly((type: ContentType): readonly ScalarAttribute[] =>
  Object.values(type.attributes).filter(
    (attribute): attribute is ScalarAttribute => attribute.family === 'scalar' && isUnique(attribute),
  ),
);

/** Returns the unique values that the write newly publishes. */
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

/** True if a row with the value belongs to another document. */
const isTakenBy = (
  owned: ReadonlyMap<string, OwnedValue>,
  { column: { field } }: ScalarAttribute,
  { id, documentId }: { readonly id: number; readonly documentId: string },
): boolean => {
  const ownedValue = owned.get(documentId);
  if (ownedValue === undefined) return true;
  // Another document of the batch may need the value that this one has and removes.
  const row = ownedValue.context.rows.find((candidate) => candidate.id === id);
  return owned.size > 1 && !isDeepStrictEqual(row?.values[field], ownedValue.value);
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
 * Finds other published documents with the unique values that are published, in the same locale. Drafts may
 * repeat them. The issues contain the values of the first document; a batch with issues is written one by
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

const createDuplicateIssue = ({ path, value, isShown }: ComponentUnique): Issue => ({
  path,
  message: 'must be unique: another component has this value',
  value: isShown ? value : undefined,
});

/** Returns a text that identifies the location of a value: the steps to its component and its attribute. */
const locationKey = ({ steps, attribute }: ComponentUnique): string =>
  JSON.stringify([steps, attribute.name]);

/** Returns the values that occur more than once at the same location of the written document. */
const findDuplicates = (uniques: readonly ComponentUnique[]): readonly ComponentUnique[] => {
  const byValue = groupBy(uniques, (unique) => `${locationKey(unique)} ${JSON.stringify(unique.value)}`);
  return [...byValue.values()].flatMap((same) => (same.length > 1 ? same : []));
};

interface StoredComponents {
  /** The version table, joined with the elements of the JSON lists that contain the components. */
  readonly from: RawBuilder<unknown>;
  /** The component, as JSON. */
  readonly item: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
}

/** Returns SQL that finds the components at one location of all versions of the type. */
const storedComponents = (
  { type, database }: WriteContext,
  steps: readonly ComponentStep[],
): StoredComponents => {
  const { json } = database.dialect.expressions;
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`];
  let from: RawBuilder<unknown> = sql`${sql.id(type.storage.version.table)} as s`;
  let item: RawBuilder<unknown> = sql`null`;
  steps.forEach(({ attribute, component }, depth) => {
    const root = type.attributes[attribute];
    const containerJson =
      depth === 0 && root !== undefined && 'column' in root
        ? sql`${sql.id('s', root.column.name)}`
        : json.member(item, attribute);
    const rows = json.rows(containerJson, `j${depth}`);
    from = sql`${from}, ${rows.from}`;
    item = rows.item;
    if (depth === 0 && root?.family === 'dynamiczone')
      conditions.push(sql`${json.field(item, '__component', 'text')} = ${component}`);
  });
  return { from, item, condition: sql.join(conditions, sql` and `) };
};

/** Returns the kind for comparing values in JSON, where times are text. */
const comparisonKind = (kind: ColumnKind): ColumnKind => (kind === 'datetime' ? 'text' : kind);

/** Returns a value for comparison. Big integers are text in JSON, but are compared as numbers. */
const toComparable = (kind: ColumnKind, value: JsonValue): StoredScalar =>
  kind === 'bigint' && typeof value === 'string' ? BigInt(value) : value;

const isRootLocalized = ({ type }: WriteContext, [first]: readonly ComponentStep[]): boolean =>
  first !== undefined && type.attributes[first.attribute]?.localized === true;

/** Finds values that other published documents have at the same location and in the same locale. */
const prefetchTakenAtLocation = (
  context: WriteContext,
  uniques: readonly [ComponentUnique, ...ComponentUnique[]],
): Prefetch<readonly Issue[]> => {
  const { expressions } = context.database.dialect;
  const [{ attribute, steps }] = uniques;
  const kind = comparisonKind(attribute.column.kind);
  const { from, item, condition } = storedComponents(context, steps);
  const isOneOf = (value: RawBuilder<unknown>, texts: readonly string[]): RawBuilder<unknown> =>
    expressions.inList(value, 'text', expressions.encodeList('text', texts));
  const values = uniques.map(({ value }) => toComparable(kind, value));
  const conditions = [
    condition,
    expressions.inList(
      expressions.json.field(item, attribute.name, kind),
      kind,
      expressions.encodeList(kind, values),
    ),
    sql`s.document_id <> ${context.documentId}`,
    isOneOf(sql`s.locale`, localesToCheck(context, isRootLocalized(context, steps))),
    sql`s.status = 'published'`,
  ];
  const rows = prefetchRows(
    { value: nullableTextColumn(expressions.json.member(item, attribute.name)) },
    sql`${from} where ${sql.join(conditions, sql` and `)}`,
  );
  return mapPrefetch(rows, (found) => {
    const taken = new Set(found.map(({ value }) => JSON.stringify(JSON.parse(value ?? 'null'))));
    return uniques.filter(({ value }) => taken.has(JSON.stringify(value))).map(createDuplicateIssue);
  });
};

/**
 * Finds unique values of published components that other published documents have at the same location and
 * locale, or that the document has twice. Drafts may repeat them.
 */
export function prefetchTakenComponentValues(
  context: WriteContext,
  uniques: readonly ComponentUnique[],
): Prefetch<readonly Issue[]> {
  if (!context.publish) return resolvedPrefetch([]);
  const checks = [...groupBy(uniques, locationKey).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [prefetchTakenAtLocation(context, [first, ...others])],
  );
  return mapPrefetch(combineList(checks), (issues) => [
    ...findDuplicates(uniques).map(createDuplicateIssue),
    ...issues.flat(),
  ]);
}

/** The unique values of a batch's documents, which are not stored yet. */
export interface Claims {
  readonly has: (context: WriteContext, location: unknown, value: unknown) => boolean;
  /**
   * Claims the unique values of a written document, including unchanged stored ones. Drafts may repeat
   * values, but generated values must also differ from those of drafts.
   *
   * @throws BatchConflict if another document of the batch has one of them
   */
  readonly add: (context: WriteContext, parsed: ParsedInput, stored?: FieldValues) => void;
}

const claimKey = ({ locale }: WriteContext, location: unknown, value: unknown): string =>
  [locale, JSON.stringify(location), value instanceof Date ? value.getTime() : String(value)].join('\n');

/** Creates the claims of one batch. */
export function createClaims(): Claims {
  const owners = new Map<string, string>();
  const claim = (context: WriteContext, location: unknown, value: unknown): void => {
    const key = claimKey(context, location, value);
    if ((owners.get(key) ?? context.documentId) !== context.documentId) throw new BatchConflict();
    owners.set(key, context.documentId);
  };
  return {
    has: (context, location, value) => owners.has(claimKey(context, location, value)),
    add: (context, parsed, stored = {}) => {
      for (const { name, column, constraints } of uniqueAttributesOf(context.type)) {
        const value = (parsed.scalars.has(name) ? parsed.scalars.get(name) : stored[column.field]) ?? null;
        if (value !== null && (context.publish || constraints.generate === true)) claim(context, name, value);
      }
      if (!context.publish) return;
      for (const { steps, attribute, value } of parsed.componentUniques)
        claim(context, [steps, attribute.name], JSON.stringify(value));
    },
  };
}
