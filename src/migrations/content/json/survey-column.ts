import type { MigrationSession } from '../../../dialects/migration-support.js';
import type { ColumnKind } from '../../../lib/stored-value.js';
import { joinClauses, quoteName } from '../../migration-dialect.js';

/** A column of a version table, by its names before the migration. */
export interface SurveyedColumn {
  readonly table: string;
  readonly column: string;
  readonly kind: ColumnKind;
  /** SQL of the values as text, and of those after the migration. */
  readonly before: string;
  readonly after: string;
  /** Whether rows without a value are read as well. */
  readonly withNulls: boolean;
}

const BATCH_SIZE = 500;

const parse = (kind: ColumnKind, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  return kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
};

/** Whether the database has the columns. An earlier, pending migration may have yet to create them. */
export async function hasColumns(
  session: MigrationSession,
  table: string,
  columns: readonly string[],
): Promise<boolean> {
  const existing = (await session.columns()).get(table);
  return existing !== undefined && columns.every((column) => existing.has(column));
}

/** Reads a column of all versions as it is and as it would be, in batches. */
export async function readColumn(
  session: MigrationSession,
  { table, column, kind, before, after, withNulls }: SurveyedColumn,
  onValue: (before: unknown, after: unknown) => void,
): Promise<void> {
  const sql = joinClauses(
    `SELECT "id", ${before} AS "before", ${after} AS "after" FROM ${quoteName(table)} WHERE "id" > $1`,
    withNulls ? '' : `AND ${quoteName(column)} IS NOT NULL`,
    `ORDER BY "id" LIMIT ${BATCH_SIZE}`,
  );
  for (let last = 0; ;) {
    const rows = await session.query(sql, [last]);
    for (const row of rows) onValue(parse(kind, row['before']), parse('json', row['after']));
    if (rows.length < BATCH_SIZE) return;
    last = Number(rows.at(-1)?.['id']);
  }
}
