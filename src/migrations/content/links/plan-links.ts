import { typeOf } from '../../../model/lookup.js';
import type { ContentModel, Link } from '../../../model/model.js';
import { spaceAllLinks } from '../../../query/compile/space-links.js';
import type { TableChange } from '../../impact/table-changes.js';
import { quoteName } from '../../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../../database/dialect/dialect.js';
import { renamedColumn, renamedTable } from '../../schema/renames.js';
import type { Rename } from '../../schema/renames.js';
import type { Tables } from '../../schema/schema-tables.js';
import type { ContentPlanPart, ContentPlanRequest } from '../content-transition.js';
import { classifyLinks, inverseColumnOf } from './classify-links.js';
import type { ClassifiedLinks, KeptLink } from './classify-links.js';
import { inspectLinks } from './inspect-links.js';
import { restoreLinksSql, saveLinksSql } from './link-sql.js';
import { isLinkAttribute, ownedLinks, targetsOf } from './match-links.js';
import type { OwnedLink } from './match-links.js';

/**
 * Returns the statements that give the links of drafts and published versions comparable positions, one for
 * each list. Links without versions need none.
 */
function spaceLinksSql(
  model: ContentModel,
  link: Link,
  { expressions }: MigrationDialect,
): readonly string[] {
  const hasStatus =
    typeOf(model, link.owner).draftAndPublish || (link.kind === 'table' && link.hasTargetStatus);
  if (!hasStatus) return [];
  return spaceAllLinks(model, link).map((statement) => `${statement.compile(expressions.kysely).sql};`);
}

/** Returns the same statements for links that had whole numbers as positions, counted by each version. */
export function spaceCountedLinksSql(
  model: ContentModel,
  previous: Tables,
  dialect: MigrationDialect,
): readonly string[] {
  return ownedLinks(model).flatMap(({ link, owner }) => {
    const table = link.kind === 'column' ? owner.storage.version.table : link.table;
    const position = link.kind === 'column' ? link.position?.column : 'position';
    const isCounted = previous.get(table)?.columns.get(position ?? '')?.type === 'Int';
    return isCounted ? spaceLinksSql(model, link, dialect) : [];
  });
}

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

/** Returns the tables of content, with the columns of their attributes; null for link tables. */
const contentTablesOf = (model: ContentModel): ReadonlyMap<string, ReadonlySet<string> | null> => {
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

/** Returns statements that delete the links of a kept link table to types that are no longer targets. */
const clearUnusedTargets = ({ before, origins }: KeptLink, renames: readonly Rename[]): readonly string[] => {
  const { table } = locationOf(before);
  return targetsOf(before.link)
    .filter(({ column }) => !origins.some(({ target }) => target.column === column))
    .map(({ column }) => quoteName(renamedColumn(table, column, renames)))
    .map((column) => `DELETE FROM ${quoteName(renamedTable(table, renames))} WHERE ${column} IS NOT NULL;`);
};

interface LinkTablePlan {
  /** Statements that clear links that do not stay in place, once they are saved. */
  readonly clearing: readonly string[];
  readonly isCovered: (change: TableChange) => boolean;
}

/**
 * Plans the changes of tables and columns that hold links. A table or column that keeps its name must not
 * hold links of the old schema that are not links of the new one.
 */
function planLinkTables(
  { kept, leaving }: ClassifiedLinks,
  before: ContentModel,
  after: ContentModel,
  renames: readonly Rename[],
): LinkTablePlan {
  const tablesAfter = contentTablesOf(after);
  const locations = leaving.map((link) => renameLocation(locationOf(link), renames));
  const clearing = locations.flatMap(({ table, columns }) => {
    if (!tablesAfter.has(table)) return [];
    if (columns === null) return [`DELETE FROM ${quoteName(table)};`];
    const remaining = columns.filter((column) => tablesAfter.get(table)?.has(column) === true);
    return remaining.map((column) => `UPDATE ${quoteName(table)} SET ${quoteName(column)} = NULL;`);
  });
  const linkLocations = [
    ...ownedLinks(before).map((link) => renameLocation(locationOf(link), renames)),
    ...ownedLinks(after)
      .map(locationOf)
      .filter(({ columns }) => columns === null),
  ];
  return {
    clearing: [...clearing, ...kept.flatMap((link) => clearUnusedTargets(link, renames))],
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

/**
 * Plans the changes of relations and media at the top level of content-types. Links whose storage changes are
 * saved before the tables change, and restored in their new form.
 */
export function planLinks(request: ContentPlanRequest): ContentPlanPart {
  const { before, after, renames } = request;
  const links = classifyLinks(request);
  const { clearing, isCovered } = planLinkTables(links, before, after, renames);
  const migrations = links.moved.map(({ migration }) => migration);
  return {
    statementsBefore: [...saveLinksSql(migrations), ...clearing],
    statementsLast: [
      ...restoreLinksSql(migrations),
      ...links.moved.flatMap((moved) => spaceLinksSql(after, moved.after.link, request.dialect)),
    ],
    isCovered,
    inspections: [inspectLinks({ ...links, before })],
  };
}
