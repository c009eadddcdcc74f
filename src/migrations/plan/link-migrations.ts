import { defined } from '../../lib/defined.js';
import type { LinkMetadata, VersionMetadata } from '../../prisma-schema/version-metadata.js';
import type { MovedLinkLocation } from '../files/migration-header.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import { DEFAULT_LOCALE, isPublished, remainingLocale } from '../losses/version-rows.js';
import type { VersionTables } from '../schema/version-tables.js';

/** The storage of a link, before or after the migration. */
interface LinkState {
  readonly link: LinkMetadata;
  readonly owner: VersionMetadata;
  readonly hasTargetStatus: boolean;
  readonly hasTargetLocale: boolean;
}

/** A link whose storage or rows change, because its owner or a target gains or loses drafts or locales. */
export interface LinkMigration {
  /** The owner's version table. */
  readonly table: string;
  readonly before: LinkState;
  readonly after: LinkState;
  /** The target columns that exist both before and after. */
  readonly targets: readonly { readonly from: string; readonly to: string; readonly table: string }[];
}

const linkStateOf = (tables: VersionTables, owner: VersionMetadata, link: LinkMetadata): LinkState => {
  const target =
    link.targets.length === 1 && (link.table === null || link.columns[0] === 'target_document_id')
      ? tables.get(defined(link.targets[0], 'The target of a link'))
      : undefined;
  const isLinkTable = link.table !== null && target !== undefined;
  return {
    link,
    owner,
    hasTargetStatus: isLinkTable && target.drafts && !owner.drafts,
    hasTargetLocale: isLinkTable && target.locales && !owner.locales,
  };
};

const haveSameVersioning = (left: VersionMetadata | undefined, right: VersionMetadata | undefined): boolean =>
  left?.drafts === right?.drafts && left?.locales === right?.locales;

const commonTargets = (before: LinkMetadata, after: LinkMetadata): LinkMigration['targets'] =>
  before.targets.flatMap((target, index) => {
    const indexAfter = after.targets.indexOf(target);
    const [from, to] = [before.columns[index], after.columns[indexAfter]];
    return from === undefined || to === undefined ? [] : [{ from, to, table: target }];
  });

/** Finds the links that have to be moved. Links that stay in columns of their owner need no move. */
export function planLinkMigrations(before: VersionTables, after: VersionTables): readonly LinkMigration[] {
  return [...after].flatMap(([table, owner]) => {
    const ownerBefore = before.get(table);
    return ownerBefore === undefined
      ? []
      : Object.entries(owner.links).flatMap(([name, link]): readonly LinkMigration[] => {
          const linkBefore = ownerBefore.links[name];
          if (linkBefore === undefined || (linkBefore.table === null && link.table === null)) return [];
          const targets = commonTargets(linkBefore, link);
          const isSame =
            haveSameVersioning(ownerBefore, owner) &&
            linkBefore.targets.every((target) => haveSameVersioning(before.get(target), after.get(target)));
          return isSame || targets.length === 0
            ? []
            : [
                {
                  table,
                  before: linkStateOf(before, ownerBefore, linkBefore),
                  after: linkStateOf(after, owner, link),
                  targets,
                },
              ];
        });
  });
}

/**
 * A table that holds a link's rows during the migration. In the SQL below, `k` is one of its rows, `l` a row
 * of the link table, `s` a version of the owner, and `v` a status of the target.
 */
const savedLinksTable = (index: number): string => quoteName(`galley_kept_links_${index}`);

const joinList = (parts: readonly string[]): string => parts.join(', ');

/**
 * SQL for the status and locale that a link belongs to before the migration, and for whether that is the
 * status or locale that remains where only one does.
 */
const versionExpressions = ({ table, before, targets }: LinkMigration) => {
  const { owner, hasTargetStatus, hasTargetLocale } = before;
  const target = defined(targets[0], `The target of a link of ${table}`);
  const rowAlias = before.link.table === null ? 's' : 'l';
  const targetId = `${rowAlias}.${quoteName(target.from)}`;
  return {
    status: owner.drafts ? 's."status"' : hasTargetStatus ? 'l."target_status"' : 'CAST(NULL AS TEXT)',
    locale: owner.locales ? 's."locale"' : hasTargetLocale ? 'l."target_locale"' : 'CAST(NULL AS TEXT)',
    isMainStatus: owner.drafts
      ? `s."status" = 'published' OR NOT ${isPublished(table, 's."document_id"', 's."locale"')}`
      : hasTargetStatus
        ? joinClauses(
            `l."target_status" = 'published' OR NOT EXISTS (SELECT 1 FROM ${quoteName(target.table)} AS p`,
            `WHERE p."document_id" = ${targetId} AND p."status" = 'published')`,
          )
        : '1 = 1',
    isMainLocale: owner.locales
      ? `s."locale" = ${remainingLocale(table, 's."document_id"')}`
      : hasTargetLocale
        ? `l."target_locale" = ${remainingLocale(target.table, targetId)}`
        : '1 = 1',
  };
};

const printFlag = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const saveLinks = (linkMigration: LinkMigration, index: number): readonly string[] => {
  const {
    table,
    before: { link },
    targets,
  } = linkMigration;
  const alias = link.table === null ? 's' : 'l';
  const { status, locale, isMainStatus, isMainLocale } = versionExpressions(linkMigration);
  const inversePosition =
    link.inverse === null ? 'CAST(NULL AS INTEGER)' : `${alias}.${quoteName(link.inverse)}`;
  const columns = [
    's."document_id" AS "document_id"',
    `${status} AS "status"`,
    `${locale} AS "locale"`,
    `${printFlag(isMainStatus)} AS "main_status"`,
    `${printFlag(isMainLocale)} AS "main_locale"`,
    `${link.table === null ? '1' : 'l."position"'} AS "position"`,
    `${inversePosition} AS "inverse_position"`,
    `${alias}."id" AS "row_id"`,
    ...targets.map(({ from, to }) => `${alias}.${quoteName(from)} AS ${quoteName(`to_${to}`)}`),
  ];
  const fromColumn = (): string => {
    const target = defined(targets[0], `The target of a link of ${table}`);
    return `${quoteName(table)} AS s WHERE s.${quoteName(target.from)} IS NOT NULL`;
  };
  const from =
    link.table === null
      ? fromColumn()
      : `${quoteName(link.table)} AS l JOIN ${quoteName(table)} AS s ON s."id" = l."source_id"`;
  return [
    `CREATE TABLE ${savedLinksTable(index)} AS SELECT ${joinList(columns)} FROM ${from};`,
    ...(link.table === null ? [] : [`DELETE FROM ${quoteName(link.table)};`]),
  ];
};

/** SQL for whether a saved link belongs to the version `row` of its owner after the migration. */
const versionMatches = (
  { after: { owner, hasTargetStatus, hasTargetLocale } }: LinkMigration,
  row: string,
): string =>
  [
    `${row}."document_id" = k."document_id"`,
    owner.drafts
      ? `(k."status" IS NULL OR ${row}."status" = k."status")`
      : hasTargetStatus
        ? '(k."status" IS NULL OR v."status" = k."status")'
        : 'k."main_status" = 1',
    owner.locales
      ? `(k."locale" IS NULL OR ${row}."locale" = k."locale")`
      : hasTargetLocale
        ? '1 = 1'
        : 'k."main_locale" = 1',
  ].join(' AND ');

const restoreLinkTable = (linkMigration: LinkMigration, linkTable: string, index: number): string => {
  const {
    table,
    after: { link, hasTargetStatus, hasTargetLocale },
    targets,
  } = linkMigration;
  const savedColumns = targets.map(({ to }) => `k.${quoteName(`to_${to}`)}`);
  const keys = [
    's."id"',
    ...savedColumns,
    ...(hasTargetStatus ? ['v."status"'] : []),
    ...(hasTargetLocale ? [`coalesce(k."locale", ${DEFAULT_LOCALE})`] : []),
  ];
  const columns = [
    'source_id',
    ...targets.map(({ to }) => to),
    ...(hasTargetStatus ? ['target_status'] : []),
    ...(hasTargetLocale ? ['target_locale'] : []),
    'position',
    ...(link.inverse === null ? [] : [link.inverse]),
  ];
  const values = [
    ...keys,
    'min(k."position")',
    ...(link.inverse === null ? [] : ['min(coalesce(k."inverse_position", k."row_id"))']),
  ];
  const statuses = hasTargetStatus
    ? ` CROSS JOIN (SELECT 'draft' AS "status" UNION ALL SELECT 'published') AS v`
    : '';
  const from = `${savedLinksTable(index)} AS k CROSS JOIN ${quoteName(table)} AS s${statuses}`;
  const select = joinClauses(
    `SELECT ${joinList(values)} FROM ${from}`,
    `WHERE ${versionMatches(linkMigration, 's')}`,
    `GROUP BY ${joinList(keys)} ORDER BY min(k."row_id");`,
  );
  return `INSERT INTO ${quoteName(linkTable)} (${joinList(columns.map(quoteName))})\n${select}`;
};

const restoreLinkColumn = (linkMigration: LinkMigration, index: number): string => {
  const {
    table,
    after: { link },
    targets,
  } = linkMigration;
  const firstSaved = (column: string): string =>
    joinClauses(
      `(SELECT k.${column} FROM ${savedLinksTable(index)} AS k`,
      `WHERE ${versionMatches(linkMigration, quoteName(table))}`,
      'ORDER BY k."main_status" DESC, k."main_locale" DESC, k."position", k."row_id" LIMIT 1)',
    );
  const sets = [
    ...targets.map(({ to }) => `${quoteName(to)} = ${firstSaved(quoteName(`to_${to}`))}`),
    ...(link.inverse === null ? [] : [`${quoteName(link.inverse)} = ${firstSaved('"inverse_position"')}`]),
  ];
  return `UPDATE ${quoteName(table)} SET ${joinList(sets)};`;
};

/** Statements that save links in temporary tables, before the tables change. */
export function saveLinksSql(linkMigrations: readonly LinkMigration[]): readonly string[] {
  return linkMigrations.flatMap(saveLinks);
}

/** Statements that restore the saved links, once tables and versions have changed. */
export function restoreLinksSql(linkMigrations: readonly LinkMigration[]): readonly string[] {
  return linkMigrations.flatMap((linkMigration, index) => {
    const { link } = linkMigration.after;
    return [
      link.table === null
        ? restoreLinkColumn(linkMigration, index)
        : restoreLinkTable(linkMigration, link.table, index),
      `DROP TABLE ${savedLinksTable(index)};`,
    ];
  });
}

/** The tables and columns that the migration drops without losing their links. */
export function movedLinkLocations(linkMigrations: readonly LinkMigration[]): readonly MovedLinkLocation[] {
  return linkMigrations.flatMap(({ table, before: { link } }): readonly MovedLinkLocation[] => {
    if (link.table !== null) return [{ table: link.table, column: null }];
    return [...link.columns, ...(link.inverse === null ? [] : [link.inverse])].map((column) => ({
      table,
      column,
    }));
  });
}
