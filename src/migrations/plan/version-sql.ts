import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';

/** The features that a version table loses in the migration. */
export interface RemainingVersions {
  readonly drafts?: 'dropped';
  readonly locales?: 'dropped';
  /** Columns that become shared by all locales. */
  readonly shared?: readonly string[];
}

/** A version table whose type gains or loses drafts or locales. All names are those after the migration. */
export interface VersionChange {
  readonly table: string;
  readonly drafts: 'added' | 'dropped' | null;
  readonly locales: 'added' | 'dropped' | null;
  /** Columns that become shared by all locales. */
  readonly shared: readonly string[];
  readonly columns: readonly string[];
}

/** The default locale of the migrated database. */
export const DEFAULT_LOCALE = `coalesce((SELECT "code" FROM "cms_locales" WHERE "is_default" LIMIT 1), 'en')`;

const DEFAULT_LOCALE_FIRST = `CASE WHEN m."locale" = ${DEFAULT_LOCALE} THEN 0 ELSE 1 END, m."id" LIMIT 1`;

/**
 * Returns SQL of a column of the row whose content all locales share after the migration: the row of the same
 * document and status in the default locale, or else the oldest one.
 */
export const mainRowValue = (table: string, row: string, column: string): string =>
  joinClauses(
    `(SELECT m.${quoteName(column)} FROM ${quoteName(table)} AS m`,
    `WHERE m."document_id" = ${row}."document_id" AND m."status" = ${row}."status"`,
    `ORDER BY ${DEFAULT_LOCALE_FIRST})`,
  );

/** Returns SQL of the locale of a document that remains: the default one, else that of the oldest version. */
export const remainingLocale = (table: string, documentId: string): string =>
  joinClauses(
    `(SELECT m."locale" FROM ${quoteName(table)} AS m WHERE m."document_id" = ${documentId}`,
    `ORDER BY ${DEFAULT_LOCALE_FIRST})`,
  );

/** Returns the SQL condition that the document has a published version in the locale. */
export const isPublished = (table: string, documentId: string, locale: string): string =>
  joinClauses(
    `EXISTS (SELECT 1 FROM ${quoteName(table)} AS p`,
    `WHERE p."document_id" = ${documentId} AND p."locale" = ${locale} AND p."status" = 'published')`,
  );

/** Returns SQL of the rows that remain of a table, with the values of a key's columns after the migration. */
export function remainingRows({
  table,
  columns,
  amongRemaining = {},
}: {
  readonly table: string;
  readonly columns: readonly string[];
  readonly amongRemaining?: RemainingVersions;
}): string {
  const { drafts, locales, shared = [] } = amongRemaining;
  const selected = columns.map((column) => {
    const value = shared.includes(column) ? mainRowValue(table, 'd', column) : `d.${quoteName(column)}`;
    return `${value} AS ${quoteName(column)}`;
  });
  const isRemaining =
    drafts === undefined
      ? `d."status" = 'published'`
      : `(d."status" = 'published' OR NOT ${isPublished(table, 'd."document_id"', 'd."locale"')})`;
  return joinClauses(
    `(SELECT ${selected.join(', ')} FROM ${quoteName(table)} AS d WHERE ${isRemaining}`,
    locales === undefined ? '' : `AND d."locale" = ${remainingLocale(table, 'd."document_id"')}`,
    ') AS remaining',
  );
}

const SYSTEM_COLUMNS = new Set(['id', 'status', 'published_at']);

const insertDrafts = ({ table, columns }: VersionChange): string => {
  const copied = columns.filter((column) => !SYSTEM_COLUMNS.has(column)).map(quoteName);
  const draft = joinClauses(
    `SELECT 1 FROM ${quoteName(table)} AS d`,
    `WHERE d."document_id" = p."document_id" AND d."locale" = p."locale" AND d."status" = 'draft'`,
  );
  const select = joinClauses(
    `SELECT 'draft', ${copied.map((column) => `p.${column}`).join(', ')} FROM ${quoteName(table)} AS p`,
    `WHERE p."status" = 'published' AND NOT EXISTS (${draft}) ORDER BY p."id";`,
  );
  return `INSERT INTO ${quoteName(table)} ("status", ${copied.join(', ')})\n${select}`;
};

const dropDrafts = ({ table }: VersionChange): readonly string[] => {
  const name = quoteName(table);
  return [
    joinClauses(
      `DELETE FROM ${name} WHERE "status" = 'draft'`,
      `AND ${isPublished(table, `${name}."document_id"`, `${name}."locale"`)};`,
    ),
    joinClauses(
      `UPDATE ${name} SET "status" = 'published', "published_at" = "updated_at"`,
      `WHERE "status" = 'draft';`,
    ),
  ];
};

const keepOneLocale = ({ table }: VersionChange): readonly string[] => {
  const name = quoteName(table);
  return [
    `DELETE FROM ${name} WHERE "locale" <> ${remainingLocale(table, `${name}."document_id"`)};`,
    `UPDATE ${name} SET "locale" = '';`,
  ];
};

/** Returns the statements that adapt the rows of a version table. They run once it has its new columns. */
export function versionSql(change: VersionChange): readonly string[] {
  const { table, drafts, locales, shared } = change;
  return [
    ...(locales === 'added'
      ? [`UPDATE ${quoteName(table)} SET "locale" = ${DEFAULT_LOCALE} WHERE "locale" = '';`]
      : []),
    ...(locales === 'dropped' ? keepOneLocale(change) : []),
    ...shared.map((column) =>
      joinClauses(
        `UPDATE ${quoteName(table)}`,
        `SET ${quoteName(column)} = ${mainRowValue(table, quoteName(table), column)};`,
      ),
    ),
    ...(drafts === 'added' ? [insertDrafts(change)] : []),
    ...(drafts === 'dropped' ? dropDrafts(change) : []),
  ];
}
