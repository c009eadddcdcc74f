import type { ContentType } from '../../../model/model.js';
import { ownsLink } from '../../../generate/prisma-schema/schema-context.js';
import { isPublished, mainRowValue, remainingLocale } from '../../plan/version-sql.js';
import { joinClauses, quoteName } from '../../migration-dialect.js';
import { isLinkAttribute, targetsOf } from '../links/match-links.js';

const SELECT_VERSIONS = 'SELECT d."id" AS "version_id", d."document_id" AS "sample" FROM';

const isDistinct = (left: string, right: string): string =>
  `CAST(${left} AS TEXT) IS DISTINCT FROM CAST(${right} AS TEXT)`;

/** SQL for whether the lists of links of the versions `d` and `p` differ, in their links or their order. */
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

/** SQL for whether the versions `d` and `p` of a document have other content. */
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

/** Restricts a query to the locales that remain. */
const remains = (table: string, losesLocales: boolean): string =>
  losesLocales ? `AND d."locale" = ${remainingLocale(table, 'd."document_id"')}` : '';

/** Selects drafts whose content differs from their published version. */
export function selectEditedDrafts(type: ContentType, losesLocales: boolean): string {
  const { table } = type.storage.version;
  return joinClauses(
    `${SELECT_VERSIONS} ${quoteName(table)} AS d JOIN ${quoteName(table)} AS p`,
    `ON p."document_id" = d."document_id" AND p."locale" = d."locale" AND p."status" = 'published'`,
    `WHERE d."status" = 'draft' ${remains(table, losesLocales)} AND ${haveOtherContent(type)}`,
  );
}

/** Selects drafts that were never published. */
export function selectUnpublishedDrafts(type: ContentType, losesLocales: boolean): string {
  const { table } = type.storage.version;
  return joinClauses(
    `${SELECT_VERSIONS} ${quoteName(table)} AS d WHERE d."status" = 'draft'`,
    `AND NOT ${isPublished(table, 'd."document_id"', 'd."locale"')} ${remains(table, losesLocales)}`,
  );
}

/** Selects the versions of all locales but the one that remains of each document. */
export function selectOtherLocales({ storage }: ContentType): string {
  const { table } = storage.version;
  return joinClauses(
    `${SELECT_VERSIONS} ${quoteName(table)} AS d`,
    `WHERE d."locale" <> ${remainingLocale(table, 'd."document_id"')}`,
  );
}

/** Selects the values of a column that differ from the one that all locales will share. */
export function selectOwnValues({ storage }: ContentType, column: string): string {
  const { table } = storage.version;
  const value = `d.${quoteName(column)}`;
  return joinClauses(
    `SELECT d."id" AS "version_id", CAST(${value} AS TEXT) AS "sample" FROM ${quoteName(table)} AS d`,
    `WHERE ${value} IS NOT NULL AND ${isDistinct(value, mainRowValue(table, 'd', column))}`,
  );
}
