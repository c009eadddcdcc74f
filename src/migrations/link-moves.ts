import type { LinkFacts, VersionFacts } from '../prisma-schema/version-facts.js';
import type { MovedPlace } from './migration-head.js';
import { quoteName } from './quote-name.js';
import { DEFAULT_LOCALE, isPublished, keptLocale } from './version-rows.js';
import type { VersionTables } from './version-tables.js';

/** One end of a link as it is, or as it will be. */
interface LinkEnd {
  readonly link: LinkFacts;
  readonly owner: VersionFacts;
  readonly hasTargetStatus: boolean;
  readonly hasTargetLocale: boolean;
}

/** A link that is kept otherwise, or belongs to other rows, once its ends have got or lost drafts or locales. */
export interface LinkMove {
  /** The owner's version table. */
  readonly table: string;
  readonly before: LinkEnd;
  readonly after: LinkEnd;
  /** Columns of the targets that there are before and after. */
  readonly targets: readonly { readonly from: string; readonly to: string; readonly table: string }[];
}

const endOf = (tables: VersionTables, owner: VersionFacts, link: LinkFacts): LinkEnd => {
  const target = link.targets.length === 1 && (link.table === null || link.columns[0] === 'target_document_id') ? tables.get(link.targets[0] ?? '') : undefined;
  const isTable = link.table !== null && target !== undefined;
  return { link, owner, hasTargetStatus: isTable && target.drafts && !owner.drafts, hasTargetLocale: isTable && target.locales && !owner.locales };
};

const sameVersions = (left: VersionFacts | undefined, right: VersionFacts | undefined): boolean => left?.drafts === right?.drafts && left?.locales === right?.locales;

const targetsOf = (before: LinkFacts, after: LinkFacts): LinkMove['targets'] =>
  before.targets.flatMap((target, index) => {
    const place = after.targets.indexOf(target);
    const [from, to] = [before.columns[index], after.columns[place]];
    return from === undefined || to === undefined ? [] : [{ from, to, table: target }];
  });

/** The links that have to be moved. What stays in the owner's own rows goes with these. */
export function linkMoves(before: VersionTables, after: VersionTables): readonly LinkMove[] {
  return [...after].flatMap(([table, owner]) => {
    const old = before.get(table);
    return old === undefined ? [] : Object.entries(owner.links).flatMap(([name, link]): readonly LinkMove[] => {
      const was = old.links[name];
      if (was === undefined || (was.table === null && link.table === null)) return [];
      const targets = targetsOf(was, link);
      const isSame = sameVersions(old, owner) && was.targets.every((target) => sameVersions(before.get(target), after.get(target)));
      return isSame || targets.length === 0 ? [] : [{ table, before: endOf(before, old, was), after: endOf(after, owner, link), targets }];
    });
  });
}

const keepName = (index: number): string => quoteName(`galley_kept_links_${index}`);

const list = (parts: readonly string[]): string => parts.join(', ');

/** Which status, and which locale, a link speaks of before; and whether it is one that remains where there is only one such left. */
const spokenOf = ({ table, before, targets }: LinkMove) => {
  const { owner, hasTargetStatus, hasTargetLocale } = before;
  const [target] = targets;
  const l = before.link.table === null ? 's' : 'l';
  const pointed = `${l}.${quoteName(target?.from ?? '')}`;
  const targetTable = target?.table ?? '';
  return {
    status: owner.drafts ? 's."status"' : hasTargetStatus ? 'l."target_status"' : 'CAST(NULL AS TEXT)',
    locale: owner.locales ? 's."locale"' : hasTargetLocale ? 'l."target_locale"' : 'CAST(NULL AS TEXT)',
    isMainStatus: owner.drafts
      ? `s."status" = 'published' OR NOT ${isPublished(table, 's."document_id"', 's."locale"')}`
      : hasTargetStatus ? `l."target_status" = 'published' OR NOT EXISTS (SELECT 1 FROM ${quoteName(targetTable)} AS p WHERE p."document_id" = ${pointed} AND p."status" = 'published')` : '1 = 1',
    isMainLocale: owner.locales ? `s."locale" = ${keptLocale(table, 's."document_id"')}` : hasTargetLocale ? `l."target_locale" = ${keptLocale(targetTable, pointed)}` : '1 = 1',
  };
};

const flag = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const keep = (move: LinkMove, index: number): readonly string[] => {
  const { table, before: { link }, targets } = move;
  const alias = link.table === null ? 's' : 'l';
  const { status, locale, isMainStatus, isMainLocale } = spokenOf(move);
  const columns = [
    's."document_id" AS "document_id"', `${status} AS "status"`, `${locale} AS "locale"`, `${flag(isMainStatus)} AS "main_status"`, `${flag(isMainLocale)} AS "main_locale"`,
    `${link.table === null ? '1' : 'l."position"'} AS "position"`, `${link.inverse === null ? 'CAST(NULL AS INTEGER)' : `${alias}.${quoteName(link.inverse)}`} AS "inverse_position"`,
    `${alias}."id" AS "row_id"`, ...targets.map(({ from, to }) => `${alias}.${quoteName(from)} AS ${quoteName(`to_${to}`)}`),
  ];
  const from = link.table === null ? `${quoteName(table)} AS s WHERE s.${quoteName(targets[0]?.from ?? '')} IS NOT NULL` : `${quoteName(link.table)} AS l JOIN ${quoteName(table)} AS s ON s."id" = l."source_id"`;
  return [`CREATE TABLE ${keepName(index)} AS SELECT ${list(columns)} FROM ${from};`, ...(link.table === null ? [] : [`DELETE FROM ${quoteName(link.table)};`])];
};

/** What a kept link `k` and a version of its owner must have in common. */
const matches = ({ after: { owner, hasTargetStatus, hasTargetLocale } }: LinkMove, row: string): string => [
  `${row}."document_id" = k."document_id"`,
  owner.drafts ? `(k."status" IS NULL OR ${row}."status" = k."status")` : hasTargetStatus ? '(k."status" IS NULL OR v."status" = k."status")' : 'k."main_status" = 1',
  owner.locales ? `(k."locale" IS NULL OR ${row}."locale" = k."locale")` : hasTargetLocale ? '1 = 1' : 'k."main_locale" = 1',
].join(' AND ');

const fillTable = (move: LinkMove, into: string, index: number): string => {
  const { table, after: { link, hasTargetStatus, hasTargetLocale }, targets } = move;
  const kept = targets.map(({ to }) => `k.${quoteName(`to_${to}`)}`);
  const keys = ['s."id"', ...kept, ...(hasTargetStatus ? ['v."status"'] : []), ...(hasTargetLocale ? [`coalesce(k."locale", ${DEFAULT_LOCALE})`] : [])];
  const columns = ['source_id', ...targets.map(({ to }) => to), ...(hasTargetStatus ? ['target_status'] : []), ...(hasTargetLocale ? ['target_locale'] : []), 'position', ...(link.inverse === null ? [] : [link.inverse])];
  const values = [...keys, 'min(k."position")', ...(link.inverse === null ? [] : ['min(coalesce(k."inverse_position", k."row_id"))'])];
  const statuses = hasTargetStatus ? ` CROSS JOIN (SELECT 'draft' AS "status" UNION ALL SELECT 'published') AS v` : '';
  const from = `${keepName(index)} AS k CROSS JOIN ${quoteName(table)} AS s${statuses}`;
  return `INSERT INTO ${quoteName(into)} (${list(columns.map(quoteName))})\nSELECT ${list(values)} FROM ${from} WHERE ${matches(move, 's')} GROUP BY ${list(keys)} ORDER BY min(k."row_id");`;
};

const fillColumn = (move: LinkMove, index: number): string => {
  const { table, after: { link }, targets } = move;
  const first = (column: string): string => `(SELECT k.${column} FROM ${keepName(index)} AS k WHERE ${matches(move, quoteName(table))} ORDER BY k."main_status" DESC, k."main_locale" DESC, k."position", k."row_id" LIMIT 1)`;
  const sets = [
    ...targets.map(({ to }) => `${quoteName(to)} = ${first(quoteName(`to_${to}`))}`),
    ...(link.inverse === null ? [] : [`${quoteName(link.inverse)} = ${first('"inverse_position"')}`]),
  ];
  return `UPDATE ${quoteName(table)} SET ${list(sets)};`;
};

/** Statements that set links aside before the tables change. */
export function keepLinks(moves: readonly LinkMove[]): readonly string[] {
  return moves.flatMap(keep);
}

/** Statements that put them where they belong once tables and versions are what they will be. */
export function refillLinks(moves: readonly LinkMove[]): readonly string[] {
  return moves.flatMap((move, index) => {
    const { link } = move.after;
    return [link.table === null ? fillColumn(move, index) : fillTable(move, link.table, index), `DROP TABLE ${keepName(index)};`];
  });
}

/** Tables and columns that the move takes away and whose links it keeps. */
export function movedPlaces(moves: readonly LinkMove[]): readonly MovedPlace[] {
  return moves.flatMap(({ table, before: { link } }): readonly MovedPlace[] => {
    if (link.table !== null) return [{ table: link.table, column: null }];
    return [...link.columns, ...(link.inverse === null ? [] : [link.inverse])].map((column) => ({ table, column }));
  });
}
