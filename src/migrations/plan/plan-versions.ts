import type { Attribute, ContentType } from '../../model/model.js';
import type { ModelMatch } from '../content/match-models.js';
import { isLinkAttribute } from '../content/links/match-links.js';
import type { TableChange } from '../impact/table-changes.js';
import type { Tables } from '../schema/schema-tables.js';
import type { MigrationStep, TableComparison } from './compare-tables.js';
import { versionSql } from './version-sql.js';
import type { RemainingVersions, VersionChange } from './version-sql.js';

export interface VersionPlan {
  /** Statements to run after the tables have changed. */
  readonly statements: readonly string[];
  readonly steps: readonly MigrationStep[];
  /** Keys that versions may violate, although they did not before. */
  readonly violatedKeys: readonly TableChange[];
}

type MatchedType = ModelMatch['types'][number];

/** The column whose value all locales share where the attribute is not localised. */
export const sharedColumn = (attribute: Attribute | null): string | null => {
  if (attribute === null) return null;
  if (!isLinkAttribute(attribute)) return attribute.column.name;
  return attribute.family === 'media' && attribute.link?.kind === 'column' ? attribute.link.column : null;
};

const compare = (before: boolean, after: boolean): VersionChange['drafts'] =>
  before === after ? null : after ? 'added' : 'dropped';

const newlySharedColumns = (
  { attributes }: MatchedType,
  { localized }: ContentType,
  wasLocalized: boolean,
): readonly string[] =>
  attributes.flatMap(({ before, after }) => {
    const column = sharedColumn(after);
    const isShared = localized && wasLocalized && before?.localized === true && after?.localized === false;
    return column !== null && isShared ? [column] : [];
  });

/** Returns the change of a type's version rows. Null where its table is dropped, or its rows stay. */
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
    // Versions that have no drafts or locales any more have the same status or locale.
    const columns = key.filter((name) => name !== 'status' && (name !== 'locale' || isLocalized));
    return [{ kind: 'unique', table, columns, amongRemaining }];
  });
};

const stepsOf = ({ table, drafts, locales }: VersionChange): readonly MigrationStep[] => [
  ...(drafts === null ? [] : [{ action: 'change-column', table, column: 'status' } as const]),
  ...(locales === null ? [] : [{ action: 'change-column', table, column: 'locale' } as const]),
];

/**
 * Plans how rows change where a type gains or loses drafts or locales, or an attribute becomes shared by all
 * locales. The tables do not show this; the content models do.
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
