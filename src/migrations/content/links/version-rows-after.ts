import { DEFAULT_LOCALE, isPublished, remainingLocale } from '../../plan/version-sql.js';
import { joinClauses, quoteName } from '../../migration-dialect.js';
import type { VersionTable } from './link-storage.js';

/**
 * Selects the versions of a type as they are after the migration, from the table as it is before it. New
 * drafts have negative ids.
 */
export function selectVersionsAfter(before: VersionTable, after: VersionTable): string {
  const table = quoteName(before.table);
  const losesLocales = before.locales && !after.locales;
  const losesDrafts = before.drafts && !after.drafts;
  const addedLocale = `CASE WHEN m."locale" = '' THEN ${DEFAULT_LOCALE} ELSE m."locale" END`;
  const locale = losesLocales ? `''` : !before.locales && after.locales ? addedLocale : 'm."locale"';
  const conditions = [
    ...(losesLocales ? [`m."locale" = ${remainingLocale(before.table, 'm."document_id"')}`] : []),
    ...(losesDrafts
      ? [
          joinClauses(
            `(m."status" = 'published'`,
            `OR NOT ${isPublished(before.table, 'm."document_id"', 'm."locale"')})`,
          ),
        ]
      : []),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const select = (id: string, status: string): string =>
    joinClauses(
      `SELECT ${id} AS "id", m."document_id", ${locale} AS "locale", ${status} AS "status"`,
      `FROM ${table} AS m ${where}`,
    );
  const rows = select('m."id"', losesDrafts ? `'published'` : 'm."status"');
  return !before.drafts && after.drafts ? `(${rows} UNION ALL ${select('-m."id"', `'draft'`)})` : `(${rows})`;
}
