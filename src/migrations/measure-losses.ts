import type { MigrationSession } from '../dialects/migration-support.js';
import type { AtStake, Loss } from './at-stake.js';
import { quoteName } from './quote-name.js';
import { isPublished, keptLocale, mainRow } from './version-rows.js';

const isHeld = (columns: readonly string[], alias = ''): string => columns.map((column) => `${alias}${quoteName(column)} IS NOT NULL`).join(' AND ');

const columnsIn = (stake: AtStake): readonly string[] => {
  switch (stake.kind) {
    case 'table':
      return [];
    case 'draft':
    case 'unpublished':
    case 'locale':
      return ['document_id', 'locale', 'status'];
    case 'column':
    case 'type':
    case 'shared':
      return [stake.column];
    case 'required':
      return stake.isNew ? [] : [stake.column];
    case 'unique':
    case 'reference':
      return stake.columns;
  }
};

/** Counts, as `count`, the rows the stake concerns. `hasTarget`: the table a reference points into exists already. */
const printCount = (stake: AtStake, hasTarget: boolean): string => {
  const from = `FROM ${quoteName(stake.table)}`;
  switch (stake.kind) {
    case 'table':
      return `SELECT count(*) AS "count" ${from}`;
    case 'column':
    case 'type':
      return `SELECT count(*) AS "count" ${from} WHERE ${isHeld([stake.column])}`;
    case 'draft':
      return `SELECT count(*) AS "count" ${from} AS d JOIN ${quoteName(stake.table)} AS p ON p."document_id" = d."document_id" AND p."locale" = d."locale" AND p."status" = 'published' WHERE d."status" = 'draft' AND d."updated_at" > p."updated_at"`;
    case 'unpublished':
      return `SELECT count(*) AS "count" ${from} AS d WHERE d."status" = 'draft' AND NOT ${isPublished(stake.table, 'd."document_id"', 'd."locale"')}`;
    case 'locale':
      return `SELECT count(*) AS "count" ${from} AS d WHERE d."locale" <> ${keptLocale(stake.table, 'd."document_id"')}`;
    case 'shared':
      return `SELECT count(*) AS "count" ${from} AS d WHERE CAST(d.${quoteName(stake.column)} AS TEXT) IS DISTINCT FROM CAST(${mainRow(stake.table, 'd', stake.column)} AS TEXT)`;
    case 'required':
      return `SELECT count(*) AS "count" ${from}${stake.isNew ? '' : ` WHERE ${quoteName(stake.column)} IS NULL`}`;
    case 'unique': {
      const groups = `SELECT count(*) AS "n" ${from} WHERE ${isHeld(stake.columns)} GROUP BY ${stake.columns.map(quoteName).join(', ')} HAVING count(*) > 1`;
      return `SELECT coalesce(sum("n"), 0) AS "count" FROM (${groups}) AS "groups"`;
    }
    case 'reference': {
      const isTarget = stake.columns.map((column, index) => `t.${quoteName(stake.targetColumns[index] ?? column)} = s.${quoteName(column)}`).join(' AND ');
      const dangles = hasTarget ? ` AND NOT EXISTS (SELECT 1 FROM ${quoteName(stake.target)} AS t WHERE ${isTarget})` : '';
      return `SELECT count(*) AS "count" ${from} AS s WHERE ${isHeld(stake.columns, 's.')}${dangles}`;
    }
  }
};

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

const measure = async (session: MigrationSession, stake: AtStake, columns: Columns): Promise<number> => {
  const own = columns.get(stake.table);
  if (own === undefined || !columnsIn(stake).every((column) => own.has(column))) return 0;
  const target = stake.kind === 'reference' ? columns.get(stake.target) : undefined;
  const hasTarget = stake.kind === 'reference' && target !== undefined && stake.targetColumns.every((column) => target.has(column));
  const [row] = await session.query(printCount(stake, hasTarget));
  return Number(row?.['count'] ?? 0);
};

/**
 * What is at stake in this database: the stakes that concern rows, with their number. A table or column that is not there (because an
 * earlier migration, not applied yet, makes it) holds no rows.
 */
export async function measureLosses(session: MigrationSession, stakes: readonly AtStake[]): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  const columns = stakes.length === 0 ? new Map<string, ReadonlySet<string>>() : await session.columns();
  for (const stake of stakes) {
    const rows = await measure(session, stake, columns);
    if (rows > 0) losses.push({ ...stake, rows });
  }
  return losses;
}
