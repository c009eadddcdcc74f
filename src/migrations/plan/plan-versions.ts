import { ownsLink } from '../../generate/prisma-schema/schema-context.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { findIn, hasColumns, impactOn } from '../impact/data-impact.js';
import type { DataImpact, Inspection } from '../impact/data-impact.js';
import type { TableChange } from '../impact/table-changes.js';
import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';
import type { MigrationStep, TableComparison } from './compare-tables.js';
import { isPublished, mainRowValue, remainingLocale, versionSql } from './version-sql.js';
import type { RemainingVersions, VersionChange } from './version-sql.js';
import type { Tables } from '../schema/schema-tables.js';
import type { ContentPlanPart, ContentPlanRequest, ModelMatch } from '../content/content-transition.js';
import { isLinkAttribute, targetsOf } from '../content/links/match-links.js';

interface VersionPlan {
  /** Statements to run after the tables have changed. */
  readonly statements: readonly string[];
  readonly steps: readonly MigrationStep[];
  /** Keys that versions may violate, although they did not before. */
  readonly violatedKeys: readonly TableChange[];
}

type MatchedType = ModelMatch['types'][number];

/** Returns the column whose value all locales share if the attribute is not localised. */
const sharedColumn = (attribute: Attribute | null): string | null => {
  if (attribute === null) return null;
  if (!isLinkAttribute(attribute)) return attribute.column.name;
  return attribute.side === 'owner' && attribute.link?.kind === 'column' ? attribute.link.column : null;
};

/** Returns the column of the value, and that of its position in the list of the other side. */
const sharedColumns = (attribute: Attribute | null): readonly string[] => {
  const column = sharedColumn(attribute);
  const link = attribute !== null && isLinkAttribute(attribute) ? attribute.link : null;
  const position = link?.kind === 'column' ? (link.position?.column ?? null) : null;
  return column === null ? [] : [column, ...(position === null ? [] : [position])];
};

const compare = (before: boolean, after: boolean): VersionChange['drafts'] =>
  before === after ? null : after ? 'added' : 'dropped';

const newlySharedColumns = (
  { attributes }: MatchedType,
  { localized }: ContentType,
  wasLocalized: boolean,
): readonly string[] =>
  attributes.flatMap(({ before, after }) => {
    const isShared = localized && wasLocalized && before?.localized === true && after?.localized === false;
    return isShared ? sharedColumns(after) : [];
  });

/** Returns the change of a type's version rows. Null if its table is dropped, or its rows stay. */
const changeOf = (type: MatchedType, tables: Tables): VersionChange | null => {
  const { before, after } = type;
  if (after === null) return null;
  const { table } = after.storage.version;
  const change: VersionChange = {
    table,
    drafts: compare(before.draftAndPublish, after.draftAndPublish),
    locales: compare(before.localized, after.localized),
    shared: newlySharedColumns(type, after, before.localized),
    columns: [...(tables.get(table)?.columns.keys() ?? [])],
  };
  return change.drafts === null && change.locales === null && change.shared.length === 0 ? null : change;
};

interface ComparedTables extends Pick<TableComparison, 'replacedColumns'> {
  /** The tables before the migration, after its renames. */
  readonly previous: Tables;
  readonly next: Tables;
}

/** Returns the keys of published versions that the remaining versions may violate. */
const violatedKeys = (
  { table, drafts, locales, shared }: VersionChange,
  isLocalized: boolean,
  { previous, next, replacedColumns }: ComparedTables,
): readonly TableChange[] => {
  const keepsValues = (name: string): boolean =>
    previous.get(table)?.columns.has(name) === true &&
    !replacedColumns.some((replaced) => replaced.table === table && replaced.column === name);
  return (next.get(table)?.publishedUniques ?? []).flatMap((key): readonly TableChange[] => {
    const sharedOfKey = key.filter((column) => shared.includes(column));
    const amongRemaining: RemainingVersions = {
      ...(drafts === 'dropped' ? { drafts } : {}),
      ...(locales === 'dropped' ? { locales } : {}),
      ...(sharedOfKey.length > 0 ? { shared: sharedOfKey } : {}),
    };
    if (!key.every(keepsValues) || Object.keys(amongRemaining).length === 0) return [];
    // Without drafts or locales, all versions have the same status or locale.
    const columns = key.filter((name) => name !== 'status' && (name !== 'locale' || isLocalized));
    return [{ kind: 'unique', table, columns, amongRemaining }];
  });
};

const stepsOf = ({ table, drafts, locales }: VersionChange): readonly MigrationStep[] => [
  ...(drafts === null ? [] : [{ action: 'change-column', table, column: 'status' } as const]),
  ...(locales === null ? [] : [{ action: 'change-column', table, column: 'locale' } as const]),
];

/**
 * Plans the changes of rows for a type that gains or loses drafts or locales, or whose locales come to share
 * an attribute. Only the content models show this; the tables stay the same.
 */
export function planVersions(types: ModelMatch['types'], tables: ComparedTables): VersionPlan {
  const changes = types.flatMap((type) => {
    const change = changeOf(type, tables.next);
    const isLocalized = type.before.localized && type.after?.localized === true;
    return change === null ? [] : [{ change, isLocalized }];
  });
  return {
    statements: changes.flatMap(({ change }) => versionSql(change)),
    steps: changes.flatMap(({ change }) => stepsOf(change)),
    violatedKeys: changes.flatMap(({ change, isLocalized }) => violatedKeys(change, isLocalized, tables)),
  };
}

const SELECT_VERSIONS = 'SELECT d."id" AS "version_id", d."document_id" AS "sample" FROM';

const isDistinct = (left: string, right: string): string =>
  `CAST(${left} AS TEXT) IS DISTINCT FROM CAST(${right} AS TEXT)`;

/** Returns the SQL condition that the versions `d` and `p` have different links, or another order. */
const haveOtherLinks = (table: string, columns: readonly string[], hasTargetLocale: boolean): string => {
  const links = quoteName(table);
  const keys = [...columns, ...(hasTargetLocale ? ['target_locale'] : [])].map(quoteName);
  const place = (alias: string): string =>
    joinClauses(
      `(SELECT count(*) FROM ${links} AS o WHERE o."source_id" = ${alias}."source_id"`,
      hasTargetLocale ? `AND o."target_locale" = ${alias}."target_locale"` : '',
      `AND o."position" < ${alias}."position")`,
    );
  const isSame = keys.map((key) => `y.${key} IS NOT DISTINCT FROM x.${key}`).join(' AND ');
  const counterpart = joinClauses(
    `SELECT 1 FROM ${links} AS y WHERE y."source_id" = p."id" AND ${isSame}`,
    `AND ${place('y')} = ${place('x')}`,
  );
  const count = (row: string): string => `(SELECT count(*) FROM ${links} WHERE "source_id" = ${row}."id")`;
  return joinClauses(
    `(${count('d')} <> ${count('p')} OR EXISTS`,
    `(SELECT 1 FROM ${links} AS x WHERE x."source_id" = d."id" AND NOT EXISTS (${counterpart})))`,
  );
};

/** Returns the SQL condition that the versions `d` and `p` of a document have different content. */
const haveOtherContent = (type: ContentType): string => {
  const conditions = Object.values(type.attributes).flatMap((attribute) => {
    if (!isLinkAttribute(attribute)) {
      const column = quoteName(attribute.column.name);
      return [isDistinct(`d.${column}`, `p.${column}`)];
    }
    const { link } = attribute;
    if (link === null || !ownsLink(type, attribute)) return [];
    if (link.kind === 'column')
      return [isDistinct(`d.${quoteName(link.column)}`, `p.${quoteName(link.column)}`)];
    const columns = targetsOf(link).map(({ column }) => column);
    return [haveOtherLinks(link.table, columns, link.kind === 'table' && link.hasTargetLocale)];
  });
  return conditions.length === 0 ? '1 = 0' : `(${conditions.join(' OR ')})`;
};

/** Returns the condition that restricts a query to the locales that remain. */
const remains = (table: string, losesLocales: boolean): string =>
  losesLocales ? `AND d."locale" = ${remainingLocale(table, 'd."document_id"')}` : '';

/** Selects drafts whose content differs from their published version. */
function selectEditedDrafts(type: ContentType, losesLocales: boolean): string {
  const { table } = type.storage.version;
  return joinClauses(
    `${SELECT_VERSIONS} ${quoteName(table)} AS d JOIN ${quoteName(table)} AS p`,
    `ON p."document_id" = d."document_id" AND p."locale" = d."locale" AND p."status" = 'published'`,
    `WHERE d."status" = 'draft' ${remains(table, losesLocales)} AND ${haveOtherContent(type)}`,
  );
}

/** Selects drafts that were never published. */
function selectUnpublishedDrafts(type: ContentType, losesLocales: boolean): string {
  const { table } = type.storage.version;
  return joinClauses(
    `${SELECT_VERSIONS} ${quoteName(table)} AS d WHERE d."status" = 'draft'`,
    `AND NOT ${isPublished(table, 'd."document_id"', 'd."locale"')} ${remains(table, losesLocales)}`,
  );
}

/** Selects the versions of all locales but the one that remains of each document. */
function selectOtherLocales({ storage }: ContentType): string {
  const { table } = storage.version;
  return joinClauses(
    `${SELECT_VERSIONS} ${quoteName(table)} AS d`,
    `WHERE d."locale" <> ${remainingLocale(table, 'd."document_id"')}`,
  );
}

/** Selects the values of a column that differ from the one that all locales will share. */
function selectDifferingValues({ storage }: ContentType, column: string): string {
  const { table } = storage.version;
  const value = `d.${quoteName(column)}`;
  return joinClauses(
    `SELECT d."id" AS "version_id", CAST(${value} AS TEXT) AS "sample" FROM ${quoteName(table)} AS d`,
    `WHERE ${value} IS NOT NULL AND ${isDistinct(value, mainRowValue(table, 'd', column))}`,
  );
}

/** Values that are dropped. The query selects them as `version_id` and `sample`. */
interface DroppedValues extends Pick<DataImpact, 'path' | 'reason' | 'remedy'> {
  readonly query: string;
}

const droppedDrafts = (before: ContentType, losesLocales: boolean): readonly DroppedValues[] => [
  {
    path: null,
    reason: 'without drafts, changes since the last publication are dropped',
    remedy: 'Publish the drafts first',
    query: selectEditedDrafts(before, losesLocales),
  },
  {
    path: null,
    reason: 'without drafts, documents that were never published become public',
    remedy: 'Publish or delete them first',
    query: selectUnpublishedDrafts(before, losesLocales),
  },
];

const droppedLocales = (before: ContentType): DroppedValues => ({
  path: null,
  reason: 'without locales, one version of each document stays and the others are dropped',
  remedy: null,
  query: selectOtherLocales(before),
});

const overwrittenValues = ({ before: type, attributes }: MatchedType): readonly DroppedValues[] =>
  attributes.flatMap(({ before, after }) => {
    const column = sharedColumn(before);
    if (before === null || column === null || sharedColumn(after) === null) return [];
    if (!before.localized || after?.localized !== false) return [];
    const reason = 'all locales come to share one value, and the other values are dropped';
    return [{ path: before.name, reason, remedy: null, query: selectDifferingValues(type, column) }];
  });

const droppedValues = (type: MatchedType): readonly DroppedValues[] => {
  const { before, after } = type;
  if (after === null) return [];
  const losesLocales = before.localized && !after.localized;
  return [
    ...(before.draftAndPublish && !after.draftAndPublish ? droppedDrafts(before, losesLocales) : []),
    ...(losesLocales ? [droppedLocales(before)] : []),
    ...(before.localized && after.localized ? overwrittenValues(type) : []),
  ];
};

const inspectType =
  (matched: MatchedType): Inspection =>
  async (session) => {
    const { uid: type, storage, attributes } = matched.before;
    const impact: DataImpact[] = [];
    for (const { query, ...place } of droppedValues(matched)) {
      // A pending migration may have yet to create the table or the column.
      const column = sharedColumn(attributes[place.path ?? ''] ?? null);
      const columns = column === null ? [] : [column];
      if (await hasColumns(session, storage.version.table, columns))
        impact.push(...impactOn({ kind: 'dropped', type, ...place }, await findIn(session, query)));
    }
    return impact;
  };

/** Plans the count of versions and values that are dropped with drafts, with locales, or by sharing. */
export function planVersionRows({ match }: ContentPlanRequest): ContentPlanPart {
  return { inspections: match.types.filter((type) => droppedValues(type).length > 0).map(inspectType) };
}
