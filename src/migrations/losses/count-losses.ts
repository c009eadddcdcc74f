import type { MigrationSession } from '../../dialects/migration-support.js';
import { defined } from '../../lib/defined.js';
import type { DestructiveChange, Loss } from './destructive-change.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import { isPublished, remainingLocale, mainRowValue, remainingRows } from './version-rows.js';

const notNullCondition = (columns: readonly string[], alias = ''): string =>
  columns.map((column) => `${alias}${quoteName(column)} IS NOT NULL`).join(' AND ');

const columnsOf = (change: DestructiveChange): readonly string[] => {
  switch (change.kind) {
    case 'table':
      return [];
    case 'draft':
    case 'unpublished':
    case 'locale':
      return ['document_id', 'locale', 'status'];
    case 'column':
    case 'type':
    case 'shared':
      return [change.column];
    case 'required':
      return change.isNew ? [] : [change.column];
    case 'unique':
      if (change.amongRemaining !== undefined) return [...change.columns, 'document_id', 'locale', 'status'];
      return change.amongPublished === true ? [...change.columns, 'status'] : change.columns;
    case 'reference':
      return change.columns;
  }
};

/** Where other locales are dropped as well, their drafts are counted with them. */
const inKeptLocale = (change: Extract<DestructiveChange, { kind: 'draft' | 'unpublished' }>): string =>
  change.keepsOneLocale === true
    ? `AND d."locale" = ${remainingLocale(change.table, 'd."document_id"')}`
    : '';

/**
 * Prints the query that counts the affected rows, in a column `count`. `hasTarget` tells whether the target
 * table of a reference exists already.
 */
const printCount = (change: DestructiveChange, hasTarget: boolean): string => {
  const table = quoteName(change.table);
  const count = `SELECT count(*) AS "count" FROM ${table}`;
  switch (change.kind) {
    case 'table':
      return count;
    case 'column':
    case 'type':
      return joinClauses(count, `WHERE ${notNullCondition([change.column])}`);
    case 'draft':
      return joinClauses(
        `${count} AS d JOIN ${table} AS p`,
        `ON p."document_id" = d."document_id" AND p."locale" = d."locale" AND p."status" = 'published'`,
        `WHERE d."status" = 'draft' AND d."updated_at" > p."updated_at"`,
        inKeptLocale(change),
      );
    case 'unpublished':
      return joinClauses(
        `${count} AS d WHERE d."status" = 'draft'`,
        `AND NOT ${isPublished(change.table, 'd."document_id"', 'd."locale"')}`,
        inKeptLocale(change),
      );
    case 'locale':
      return joinClauses(
        `${count} AS d`,
        `WHERE d."locale" <> ${remainingLocale(change.table, 'd."document_id"')}`,
      );
    case 'shared':
      return joinClauses(
        `${count} AS d`,
        `WHERE CAST(d.${quoteName(change.column)} AS TEXT)`,
        `IS DISTINCT FROM CAST(${mainRowValue(change.table, 'd', change.column)} AS TEXT)`,
      );
    case 'required':
      return joinClauses(count, change.isNew ? '' : `WHERE ${quoteName(change.column)} IS NULL`);
    case 'unique': {
      const groups = joinClauses(
        `SELECT count(*) AS "n" FROM ${change.amongRemaining === undefined ? table : remainingRows(change)}`,
        `WHERE ${notNullCondition(change.columns)}`,
        change.amongPublished === true ? `AND "status" = 'published'` : '',
        `GROUP BY ${change.columns.map(quoteName).join(', ')} HAVING count(*) > 1`,
      );
      return `SELECT coalesce(sum("n"), 0) AS "count" FROM (${groups}) AS "groups"`;
    }
    case 'reference': {
      const joinCondition = change.columns
        .map(
          (column, index) => `t.${quoteName(change.targetColumns[index] ?? column)} = s.${quoteName(column)}`,
        )
        .join(' AND ');
      const danglingCondition = hasTarget
        ? `AND NOT EXISTS (SELECT 1 FROM ${quoteName(change.target)} AS t WHERE ${joinCondition})`
        : '';
      return joinClauses(`${count} AS s WHERE ${notNullCondition(change.columns, 's.')}`, danglingCondition);
    }
  }
};

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

const countRows = async (
  session: MigrationSession,
  change: DestructiveChange,
  columns: Columns,
): Promise<number> => {
  const tableColumns = columns.get(change.table);
  if (tableColumns === undefined || !columnsOf(change).every((column) => tableColumns.has(column))) return 0;
  const target = change.kind === 'reference' ? columns.get(change.target) : undefined;
  const hasTarget =
    change.kind === 'reference' &&
    target !== undefined &&
    change.targetColumns.every((column) => target.has(column));
  const [row] = await session.query(printCount(change, hasTarget));
  return Number(defined(row?.['count'], 'The number of affected rows'));
};

/**
 * Counts the rows that destructive changes affect in this database. Changes without affected rows are left
 * out, as are those of tables and columns that an earlier, pending migration has yet to create.
 */
export async function countLosses(
  session: MigrationSession,
  destructiveChanges: readonly DestructiveChange[],
): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  const columns =
    destructiveChanges.length === 0 ? new Map<string, ReadonlySet<string>>() : await session.columns();
  for (const change of destructiveChanges) {
    const rows = await countRows(session, change, columns);
    if (rows > 0) losses.push({ ...change, rows });
  }
  return losses;
}
