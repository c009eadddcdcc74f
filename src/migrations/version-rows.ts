import type { VersionFacts } from '../prisma-schema/version-facts.js';
import type { AtStake } from './at-stake.js';
import { quoteName } from './quote-name.js';

/** One version table before and after; every name is the one after the renames. */
export interface VersionChange {
  readonly table: string;
  readonly before: VersionFacts;
  readonly after: VersionFacts;
  /** The columns it has afterwards. */
  readonly columns: readonly string[];
}

/** The default locale of the database that is migrated. */
export const DEFAULT_LOCALE = `coalesce((SELECT "code" FROM "cms_locales" WHERE "is_default" LIMIT 1), 'en')`;

/** The row of the same document, in the same status, whose content stands for all locales: the default locale's, else the oldest. */
export const mainRow = (table: string, row: string, select: string): string =>
  `(SELECT m.${quoteName(select)} FROM ${quoteName(table)} AS m WHERE m."document_id" = ${row}."document_id" AND m."status" = ${row}."status" ORDER BY CASE WHEN m."locale" = ${DEFAULT_LOCALE} THEN 0 ELSE 1 END, m."id" LIMIT 1)`;

/** The locale of a document that is kept where only one is: the default one, else that of the oldest version. */
export const keptLocale = (table: string, documentId: string): string =>
  `(SELECT m."locale" FROM ${quoteName(table)} AS m WHERE m."document_id" = ${documentId} ORDER BY CASE WHEN m."locale" = ${DEFAULT_LOCALE} THEN 0 ELSE 1 END, m."id" LIMIT 1)`;

/** Whether the document has a published version in that locale. */
export const isPublished = (table: string, documentId: string, locale: string): string =>
  `EXISTS (SELECT 1 FROM ${quoteName(table)} AS p WHERE p."document_id" = ${documentId} AND p."locale" = ${locale} AND p."status" = 'published')`;

/** Columns that become the same in all locales. */
const newlyShared = ({ before, after, columns }: VersionChange): readonly string[] =>
  before.locales && after.locales ? after.shared.filter((column) => columns.includes(column) && !before.shared.includes(column)) : [];

/** Data that rows lose by what they stand for. */
export function versionStakes(change: VersionChange): readonly AtStake[] {
  const { table, before, after } = change;
  return [
    ...(before.drafts && !after.drafts ? [{ kind: 'draft', table } as const, { kind: 'unpublished', table } as const] : []),
    ...(before.locales && !after.locales ? [{ kind: 'locale', table } as const] : []),
    ...newlyShared(change).map((column) => ({ kind: 'shared', table, column }) as const),
  ];
}

const SYSTEM = new Set(['id', 'status', 'published_at']);

const makeDrafts = ({ table, columns }: VersionChange): string => {
  const copied = columns.filter((column) => !SYSTEM.has(column)).map(quoteName);
  const isThere = `SELECT 1 FROM ${quoteName(table)} AS d WHERE d."document_id" = p."document_id" AND d."locale" = p."locale" AND d."status" = 'draft'`;
  return `INSERT INTO ${quoteName(table)} ("status", ${copied.join(', ')})\nSELECT 'draft', ${copied.map((column) => `p.${column}`).join(', ')} FROM ${quoteName(table)} AS p WHERE p."status" = 'published' AND NOT EXISTS (${isThere}) ORDER BY p."id";`;
};

const dropDrafts = ({ table }: VersionChange): readonly string[] => [
  `DELETE FROM ${quoteName(table)} WHERE "status" = 'draft' AND ${isPublished(table, `${quoteName(table)}."document_id"`, `${quoteName(table)}."locale"`)};`,
  `UPDATE ${quoteName(table)} SET "status" = 'published', "published_at" = "updated_at" WHERE "status" = 'draft';`,
];

const keepOneLocale = ({ table }: VersionChange): readonly string[] => [
  `DELETE FROM ${quoteName(table)} WHERE "locale" <> ${keptLocale(table, `${quoteName(table)}."document_id"`)};`,
  `UPDATE ${quoteName(table)} SET "locale" = '';`,
];

/** The statements that make a table's rows what the schema says of them now, to be run once the table has its new columns. */
export function versionSql(change: VersionChange): readonly string[] {
  const { table, before, after } = change;
  return [
    ...(!before.locales && after.locales ? [`UPDATE ${quoteName(table)} SET "locale" = ${DEFAULT_LOCALE} WHERE "locale" = '';`] : []),
    ...(before.locales && !after.locales ? keepOneLocale(change) : []),
    ...newlyShared(change).map((column) => `UPDATE ${quoteName(table)} SET ${quoteName(column)} = ${mainRow(table, quoteName(table), column)};`),
    ...(!before.drafts && after.drafts ? [makeDrafts(change)] : []),
    ...(before.drafts && !after.drafts ? dropDrafts(change) : []),
  ];
}
