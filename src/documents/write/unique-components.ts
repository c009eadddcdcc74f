import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { getOrCreate } from '../../lib/memoize.js';
import type { ColumnKind, JsonValue, StoredScalar } from '../../lib/stored-value.js';
import type { ComponentStep, ComponentUnique } from '../validation/input.js';
import type { Issue } from '../validation/issues.js';
import { combineList, mapPrefetch, nullableTextColumn, prefetchRows, resolvedPrefetch } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import { localesToCheck } from './unique-values.js';
import type { WriteContext } from './write-context.js';

const createDuplicateIssue = ({ path, value, isShown }: ComponentUnique): Issue => ({
  path,
  message: 'must be unique: another component has this value',
  value: isShown ? value : undefined,
});

/** Identifies the place of a value: components below the same attributes, and the same attribute of them. */
const locationKey = ({ steps, attribute }: ComponentUnique): string =>
  JSON.stringify([steps, attribute.name]);

/** Returns the values that occur more than once in the same place of the written document. */
const findDuplicates = (uniques: readonly ComponentUnique[]): readonly ComponentUnique[] => {
  const byValue = new Map<string, ComponentUnique[]>();
  for (const unique of uniques)
    getOrCreate(byValue, `${locationKey(unique)} ${JSON.stringify(unique.value)}`, () => []).push(unique);
  return [...byValue.values()].flatMap((same) => (same.length > 1 ? same : []));
};

interface StoredComponents {
  /** The version table, joined with the elements of the JSON lists on the way to the components. */
  readonly from: RawBuilder<unknown>;
  /** The component, as JSON. */
  readonly item: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
}

/** Returns the SQL that finds the components in one place of all versions of the type. */
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

/** Times are text in JSON. */
const comparisonKind = (kind: ColumnKind): ColumnKind => (kind === 'datetime' ? 'text' : kind);

/** Big integers are text in JSON, too, but are compared as numbers. */
const toComparable = (kind: ColumnKind, value: JsonValue): StoredScalar =>
  kind === 'bigint' && typeof value === 'string' ? BigInt(value) : value;

const isRootLocalized = ({ type }: WriteContext, [first]: readonly ComponentStep[]): boolean =>
  first !== undefined && type.attributes[first.attribute]?.localized === true;

/** Finds the values in one place that other published documents have in the same place and locale. */
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
 * Finds out whether other published documents have the unique values of the published components, in the same
 * place and locale, and whether the document itself has one of them twice. Drafts may repeat them.
 */
export function prefetchTakenComponentValues(
  context: WriteContext,
  uniques: readonly ComponentUnique[],
): Prefetch<readonly Issue[]> {
  if (!context.publish) return resolvedPrefetch([]);
  const byLocation = new Map<string, ComponentUnique[]>();
  for (const unique of uniques) getOrCreate(byLocation, locationKey(unique), () => []).push(unique);
  const checks = [...byLocation.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [prefetchTakenAtLocation(context, [first, ...others])],
  );
  return mapPrefetch(combineList(checks), (issues) => [
    ...findDuplicates(uniques).map(createDuplicateIssue),
    ...issues.flat(),
  ]);
}
