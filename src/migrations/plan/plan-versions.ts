import { isDeepStrictEqual } from 'node:util';
import type { DestructiveChange } from '../losses/destructive-change.js';
import type { MigrationStep, TableComparison } from './compare-tables.js';
import { clearLinksSql, movedLinkLocations, planLinkMigrations } from './link-migrations.js';
import type { VersionedLinkMigration } from './link-migrations.js';
import { restoreLinksSql, saveLinksSql } from '../content/links/link-sql.js';
import type { MovedLinkLocation } from '../files/migration-header.js';
import type { Rename } from '../schema/rename-in-schema.js';
import type { Tables } from '../schema/schema-tables.js';
import { versionSql, versionDestructiveChanges } from '../losses/version-rows.js';
import type { VersionChange } from '../losses/version-rows.js';
import { parseVersionTables, renameVersionTables } from '../schema/version-tables.js';

export interface VersionPlan {
  /** Statements to run before the tables change. */
  readonly statementsBefore: readonly string[];
  /** Statements to run after the tables have changed. */
  readonly statementsAfter: readonly string[];
  /** Whether the versioning of a table changes, even where no row does. */
  readonly isChanged: boolean;
  readonly steps: readonly MigrationStep[];
  readonly destructiveChanges: readonly DestructiveChange[];
  readonly movedLinks: readonly MovedLinkLocation[];
  /** Whether the plan already covers a destructive change that the comparison of the tables found. */
  readonly isCovered: (change: DestructiveChange) => boolean;
}

interface VersionPlanOptions {
  readonly previousSchema: string;
  readonly nextSchema: string;
  readonly renames: readonly Rename[];
  /** The tables of the previous schema, after the renames. */
  readonly previous: Tables;
  /** The tables of the next schema. */
  readonly next: Tables;
  readonly replacedColumns: TableComparison['replacedColumns'];
  /** Whether the content plan moves the links, since it knows both content models. */
  readonly areLinksPlanned: boolean;
}

const versionSteps = ({ table, before, after }: VersionChange): readonly MigrationStep[] => [
  ...(before.drafts === after.drafts ? [] : [{ action: 'change-column', table, column: 'status' } as const]),
  ...(before.locales === after.locales
    ? []
    : [{ action: 'change-column', table, column: 'locale' } as const]),
];

const isCoveredByLinkMigration = (
  linkMigrations: readonly VersionedLinkMigration[],
  change: DestructiveChange,
): boolean => {
  const columns = 'column' in change ? [change.column] : 'columns' in change ? change.columns : [];
  return linkMigrations.some(({ table, linkBefore, linkAfter }) =>
    [linkBefore, linkAfter].some((link) => {
      if (link.table !== null) return change.table === link.table && change.kind !== 'reference';
      return (
        change.table === table &&
        columns.length > 0 &&
        columns.every((column) => link.columns.includes(column) || column === link.inverse)
      );
    }),
  );
};

/** Whether a key that is counted among the remaining versions is found to be new as well. */
const includesKey = (counted: DestructiveChange, change: DestructiveChange): boolean =>
  counted.kind === 'unique' &&
  change.kind === 'unique' &&
  counted.table === change.table &&
  change.amongPublished === true &&
  counted.columns.every((column) => change.columns.includes(column));

/** The keys of published versions whose columns keep their values. */
const keptUniques = (
  { previous, next, replacedColumns }: Pick<VersionPlanOptions, 'previous' | 'next' | 'replacedColumns'>,
  table: string,
): readonly (readonly string[])[] =>
  (next.get(table)?.publishedUniques ?? []).filter((key) =>
    key.every(
      (name) =>
        previous.get(table)?.columns.has(name) === true &&
        !replacedColumns.some((replaced) => replaced.table === table && replaced.column === name),
    ),
  );

/**
 * Plans how rows change where a type gets or loses drafts or locales, or an attribute becomes shared by all
 * locales. The schema keeps this in metadata comments, since the tables do not show it. Tables without such a
 * comment are left alone.
 */
export function planVersions({
  previousSchema,
  nextSchema,
  renames,
  previous,
  next,
  replacedColumns,
  areLinksPlanned,
}: VersionPlanOptions): VersionPlan {
  const [before, after] = [
    renameVersionTables(parseVersionTables(previousSchema), renames),
    parseVersionTables(nextSchema),
  ];
  const versionChanges = [...after].flatMap(([table, metadata]): readonly VersionChange[] => {
    const metadataBefore = before.get(table);
    return metadataBefore === undefined || isDeepStrictEqual(metadataBefore, metadata)
      ? []
      : [
          {
            table,
            before: metadataBefore,
            after: metadata,
            columns: [...(next.get(table)?.columns.keys() ?? [])],
            publishedUniques: keptUniques({ previous, next, replacedColumns }, table),
          },
        ];
  });
  const linkMigrations = areLinksPlanned ? [] : planLinkMigrations(before, after);
  const destructiveChanges = versionChanges.flatMap(versionDestructiveChanges);
  const versionStatements = versionChanges.flatMap(versionSql);
  return {
    statementsBefore: [...saveLinksSql(linkMigrations), ...clearLinksSql(linkMigrations)],
    statementsAfter: [...versionStatements, ...restoreLinksSql(linkMigrations)],
    isChanged: versionChanges.some(
      (change) => !isDeepStrictEqual({ ...change.before, links: {} }, { ...change.after, links: {} }),
    ),
    steps: versionChanges.flatMap(versionSteps),
    destructiveChanges,
    movedLinks: movedLinkLocations(linkMigrations),
    isCovered: (change) =>
      isCoveredByLinkMigration(linkMigrations, change) ||
      destructiveChanges.some((found) => includesKey(found, change)),
  };
}
