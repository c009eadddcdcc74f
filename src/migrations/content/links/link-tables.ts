import type { ContentModel } from '../../../model/model.js';
import type { DestructiveChange } from '../../losses/destructive-change.js';
import { quoteName } from '../../migration-dialect.js';
import { renamedColumn, renamedTable } from '../../schema/renamed-location.js';
import type { Rename } from '../../schema/rename-in-schema.js';
import type { ContentPlanPart } from '../content-plan.js';
import type { ClassifiedLinks, KeptLink } from './classify-links.js';
import { inverseColumnOf } from './describe-storage.js';
import { isLinkAttribute, ownedLinks, targetsOf } from './match-links.js';
import type { OwnedLink } from './match-links.js';

type AccountedDrop = ContentPlanPart['accountedDrops'][number];

/** A link table (`columns` is null), or the columns of a version table that hold a link. */
interface LinkLocation {
  readonly table: string;
  readonly columns: readonly string[] | null;
}

const locationOf = ({ link, owner }: OwnedLink): LinkLocation => {
  if (link.kind !== 'column') return { table: link.table, columns: null };
  const inverse = inverseColumnOf(link);
  return {
    table: owner.storage.version.table,
    columns: [link.column, ...(inverse === null ? [] : [inverse])],
  };
};

const renameLocation = ({ table, columns }: LinkLocation, renames: readonly Rename[]): LinkLocation => ({
  table: renamedTable(table, renames),
  columns: columns?.map((column) => renamedColumn(table, column, renames)) ?? null,
});

/** The tables of a model that hold content, with the columns of their attributes. Null: a link table. */
const tablesOf = (model: ContentModel): ReadonlyMap<string, ReadonlySet<string> | null> => {
  const links = ownedLinks(model).map(locationOf);
  const versionTables = model.types.map(({ storage, attributes }) => {
    const { table } = storage.version;
    const scalars = Object.values(attributes).flatMap((attribute) =>
      isLinkAttribute(attribute) ? [] : [attribute.column.name],
    );
    const linkColumns = links.flatMap((link) => (link.table === table ? (link.columns ?? []) : []));
    return [table, new Set([...scalars, ...linkColumns])] as const;
  });
  const linkTables = links.flatMap(({ table, columns }) =>
    columns === null ? [[table, null] as const] : [],
  );
  return new Map([...versionTables, ...linkTables]);
};

/** What a link that stays in its table no longer needs, by the names after the renames. */
const unusedColumns = ({ before, after, origins }: KeptLink, renames: readonly Rename[]) => {
  const location = locationOf(before);
  const inverse = inverseColumnOf(before.link);
  const targets = targetsOf(before.link)
    .filter(({ column }) => !origins.some(({ target }) => target.column === column))
    .map(({ column }) => renamedColumn(location.table, column, renames));
  const positions = inverse !== null && inverseColumnOf(after.link) === null ? [inverse] : [];
  return { table: renamedTable(location.table, renames), targets, positions };
};

interface LinkTablePlan {
  /** Statements that empty what does not stay in its place, once that is saved. */
  readonly clearing: readonly string[];
  readonly accountedDrops: readonly AccountedDrop[];
  readonly isCovered: (change: DestructiveChange) => boolean;
}

/**
 * Plans what happens to the tables and columns that hold links. A table or column that stays under its name
 * must not show the new schema links that belonged to the old one.
 */
export function planLinkTables(
  { kept, leaving }: ClassifiedLinks,
  before: ContentModel,
  after: ContentModel,
  renames: readonly Rename[],
): LinkTablePlan {
  const tablesAfter = tablesOf(after);
  const locations = leaving.map((link) => renameLocation(locationOf(link), renames));
  const unused = kept.map((link) => unusedColumns(link, renames));
  const clearing = locations.flatMap(({ table, columns }) => {
    if (!tablesAfter.has(table)) return [];
    if (columns === null) return [`DELETE FROM ${quoteName(table)};`];
    const remaining = columns.filter((column) => tablesAfter.get(table)?.has(column) === true);
    return remaining.map((column) => `UPDATE ${quoteName(table)} SET ${quoteName(column)} = NULL;`);
  });
  const clearingTargets = unused.flatMap(({ table, targets }) =>
    targets.map((column) => `DELETE FROM ${quoteName(table)} WHERE ${quoteName(column)} IS NOT NULL;`),
  );
  const drops = locations.flatMap(({ table, columns }): readonly AccountedDrop[] => {
    if (columns === null) return [{ table, column: null }];
    const columnsAfter = tablesAfter.get(table);
    return columnsAfter === undefined
      ? []
      : columns.filter((column) => columnsAfter?.has(column) !== true).map((column) => ({ table, column }));
  });
  const unusedDrops = unused.flatMap(({ table, targets, positions }) =>
    [...targets, ...positions].map((column) => ({ table, column })),
  );
  const linkLocations = [
    ...ownedLinks(before).map((link) => renameLocation(locationOf(link), renames)),
    ...ownedLinks(after)
      .map(locationOf)
      .filter(({ columns }) => columns === null),
  ];
  return {
    clearing: [...clearing, ...clearingTargets],
    accountedDrops: [...drops, ...unusedDrops],
    isCovered: (change) => {
      const names = 'column' in change ? [change.column] : 'columns' in change ? change.columns : [];
      return linkLocations.some(
        ({ table, columns }) =>
          table === change.table &&
          (columns === null || (names.length > 0 && names.every((name) => columns.includes(name)))),
      );
    },
  };
}
