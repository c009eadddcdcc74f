import { DEFAULT_LOCALE, isPublished, remainingLocale } from '../../plan/version-sql.js';
import { joinClauses, quoteName } from '../../../database/dialect/sql-text.js';
import type { LinkMigration, LinkSource, NewLinkStorage } from './classify-links.js';

const joinList = (parts: readonly string[]): string => parts.join(', ');

const printFlag = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** SQL condition for links of the status that remains if only one does. */
const isMainStatus = ({ storage: { owner, hasTargetStatus }, target, column }: LinkSource): string => {
  if (owner.drafts)
    return `s."status" = 'published' OR NOT ${isPublished(owner.table, 's."document_id"', 's."locale"')}`;
  if (!hasTargetStatus) return '1 = 1';
  return joinClauses(
    `l."target_status" = 'published' OR NOT EXISTS (SELECT 1 FROM ${quoteName(target.table)} AS p`,
    `WHERE p."document_id" = l.${quoteName(column)} AND p."status" = 'published')`,
  );
};

/** SQL condition for links of the locale that remains if only one does. */
const isMainLocale = ({ storage: { owner, hasTargetLocale }, target, column }: LinkSource): string => {
  if (owner.locales) return `s."locale" = ${remainingLocale(owner.table, 's."document_id"')}`;
  return hasTargetLocale
    ? `l."target_locale" = ${remainingLocale(target.table, `l.${quoteName(column)}`)}`
    : '1 = 1';
};

/** SQL of the status and locale of a link; null if it belongs to all. */
const versionOf = ({ storage: { owner, hasTargetStatus, hasTargetLocale } }: LinkSource) => ({
  status: owner.drafts ? 's."status"' : hasTargetStatus ? 'l."target_status"' : 'CAST(NULL AS TEXT)',
  locale: owner.locales ? 's."locale"' : hasTargetLocale ? 'l."target_locale"' : 'CAST(NULL AS TEXT)',
});

const NO_POSITION = 'CAST(NULL AS INTEGER)';

/**
 * Selects the links of a source from the side of their owner after the migration. `document_id` is the
 * document that owns the link, and `target_id` the document that it points to.
 */
const selectSource = (source: LinkSource, index: number): string => {
  const { storage, column, isReversed, to } = source;
  const row = storage.table === null ? 's' : 'l';
  const { status, locale } = versionOf(source);
  const ends = ['s."document_id"', `${row}.${quoteName(column)}`];
  const positions = [
    storage.table === null ? NO_POSITION : 'l."position"',
    storage.inverse === null ? NO_POSITION : `${row}.${quoteName(storage.inverse)}`,
  ];
  const [documentId, targetId] = isReversed ? ends.toReversed() : ends;
  const [position, inversePosition] = isReversed ? positions.toReversed() : positions;
  const columns = [
    `${index} AS "source"`,
    `${documentId} AS "document_id"`,
    `${targetId} AS "target_id"`,
    `'${to.replaceAll("'", "''")}' AS "target_column"`,
    `${status} AS "status"`,
    `${locale} AS "locale"`,
    `${printFlag(isMainStatus(source))} AS "main_status"`,
    `${printFlag(isMainLocale(source))} AS "main_locale"`,
    `${position} AS "position"`,
    `${inversePosition} AS "inverse_position"`,
    `${row}."id" AS "row_id"`,
    's."id" AS "version_id"',
    `min(${row}."id") OVER (PARTITION BY s."document_id") AS "document_row"`,
  ];
  const versions = `${quoteName(storage.owner.table)} AS s`;
  const from =
    storage.table === null
      ? versions
      : `${quoteName(storage.table)} AS l JOIN ${versions} ON s."id" = l."source_id"`;
  return `SELECT ${joinList(columns)} FROM ${from} WHERE ${row}.${quoteName(column)} IS NOT NULL`;
};

/** Selects all links of a migration as they are before it. */
export function selectLinks(sources: readonly LinkSource[]): string {
  return sources.map(selectSource).join(' UNION ALL ');
}

/** SQL condition for a link `k` that belongs to the version `s` of its owner after the migration. */
const belongsToVersion = ({ owner, hasTargetStatus, hasTargetLocale }: NewLinkStorage): string =>
  [
    's."document_id" = k."document_id"',
    owner.drafts
      ? '(k."status" IS NULL OR s."status" = k."status")'
      : hasTargetStatus
        ? '(k."status" IS NULL OR v."status" = k."status")'
        : 'k."main_status" = 1',
    owner.locales
      ? '(k."locale" IS NULL OR s."locale" = k."locale")'
      : hasTargetLocale
        ? '1 = 1'
        : 'k."main_locale" = 1',
  ].join(' AND ');

const rank = (partition: readonly string[], order: readonly string[]): string =>
  `row_number() OVER (PARTITION BY ${joinList(partition)} ORDER BY ${joinList(order)})`;

const MAIN_FIRST = ['"main_status" DESC', '"main_locale" DESC', '"source"'];
const BY_OWNER = [...MAIN_FIRST, 'coalesce("position", "document_row")', '"row_id"'];
const BY_INVERSE = ['"source"', 'coalesce("inverse_position", "document_row")', '"row_id"'];

/**
 * Selects the links with the versions that hold them after the migration. `place` is the position in the
 * owner's list. `is_kept` is 0 if the new link allows only one, and another one stays.
 *
 * @param links a table with the rows of {@link selectLinks}
 * @param versions a table with the versions of the owner after the migration
 */
export function selectPlaces(after: NewLinkStorage, links: string, versions: string): string {
  const targetVersion = [
    ...(after.hasTargetStatus ? ['"target_status"'] : []),
    ...(after.hasTargetLocale ? ['"target_locale"'] : []),
  ];
  const statuses = after.hasTargetStatus
    ? ` CROSS JOIN (SELECT 'draft' AS "status" UNION ALL SELECT 'published') AS v`
    : '';
  const candidates = joinClauses(
    'SELECT k.*, s."id" AS "owner_id", s."status" AS "owner_status", s."locale" AS "owner_locale"',
    after.hasTargetStatus ? ', v."status" AS "target_status"' : '',
    after.hasTargetLocale ? `, coalesce(k."locale", ${DEFAULT_LOCALE}) AS "target_locale"` : '',
    `FROM ${links} AS k CROSS JOIN ${versions} AS s${statuses} WHERE ${belongsToVersion(after)}`,
  );
  const target = ['"target_column"', '"target_id"'];
  const owner = ['"owner_id"', ...targetVersion];
  const copies = `SELECT c.*, ${rank([...owner, ...target], BY_OWNER)} AS "copy" FROM (${candidates}) AS c`;
  const places = `SELECT d.*, ${rank(owner, BY_OWNER)} AS "place" FROM (${copies}) AS d WHERE "copy" = 1`;
  const fits = after.isSingle ? printFlag('"place" = 1') : '1';
  const fitting = `SELECT e.*, ${fits} AS "fits" FROM (${places}) AS e`;
  const turn = rank([...target, '"owner_status"', '"owner_locale"', ...targetVersion, '"fits"'], BY_INVERSE);
  const isKept = after.isExclusive ? printFlag(`"fits" = 1 AND ${turn} = 1`) : '"fits"';
  return `SELECT f.*, ${isKept} AS "is_kept" FROM (${fitting}) AS f`;
}

/** Returns the name of the table that holds links during the migration. */
const savedLinksTable = (index: number): string => quoteName(`galley_kept_links_${index}`);

const INVERSE_POSITION = 'coalesce(p."inverse_position", p."document_row")';

const restoreLinkTable = (after: NewLinkStorage, table: string, places: string): string => {
  const targetId = (column: string): string =>
    after.columns.length === 1
      ? 'p."target_id"'
      : `CASE WHEN p."target_column" = '${column.replaceAll("'", "''")}' THEN p."target_id" END`;
  const values: readonly (readonly [column: string, value: string])[] = [
    ['source_id', 'p."owner_id"'],
    ...after.columns.map((column) => [column, targetId(column)] as const),
    ...(after.hasTargetStatus ? [['target_status', 'p."target_status"'] as const] : []),
    ...(after.hasTargetLocale ? [['target_locale', 'p."target_locale"'] as const] : []),
    ['position', 'p."place"'],
    ...(after.inverse === null ? [] : [[after.inverse, INVERSE_POSITION] as const]),
  ];
  const columns = joinList(values.map(([column]) => quoteName(column)));
  const select = joinClauses(
    `SELECT ${joinList(values.map(([, value]) => value))} FROM (${places}) AS p`,
    'WHERE p."is_kept" = 1 ORDER BY p."source", p."row_id", p."owner_id";',
  );
  return `INSERT INTO ${quoteName(table)} (${columns})\n${select}`;
};

const restoreLinkColumn = ({ owner, columns, inverse }: NewLinkStorage, places: string): string => {
  const table = quoteName(owner.table);
  const sets = [
    ...columns.map((column) => `${quoteName(column)} = p."target_id"`),
    ...(inverse === null ? [] : [`${quoteName(inverse)} = ${INVERSE_POSITION}`]),
  ];
  return joinClauses(
    `UPDATE ${table} SET ${joinList(sets)} FROM (${places}) AS p`,
    `WHERE p."is_kept" = 1 AND p."owner_id" = ${table}."id";`,
  );
};

/** Returns the statements that save links in separate tables, before the tables change. */
export function saveLinksSql(migrations: readonly LinkMigration[]): readonly string[] {
  return migrations.map(
    ({ sources }, index) => `CREATE TABLE ${savedLinksTable(index)} AS ${selectLinks(sources)};`,
  );
}

/** Returns the statements that restore the saved links, once tables and versions have changed. */
export function restoreLinksSql(migrations: readonly LinkMigration[]): readonly string[] {
  return migrations.flatMap(({ after }, index) => {
    const places = selectPlaces(after, savedLinksTable(index), quoteName(after.owner.table));
    return [
      after.table === null ? restoreLinkColumn(after, places) : restoreLinkTable(after, after.table, places),
      `DROP TABLE ${savedLinksTable(index)};`,
    ];
  });
}
