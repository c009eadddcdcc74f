import type { MigrationSession, SessionRow } from '../../database/dialect/migration-support.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { joinClauses, quoteName } from '../migration-dialect.js';

/** A column of a version table, by its names before the migration. */
export interface InspectedColumn {
  readonly table: string;
  readonly column: string;
  readonly kind: ColumnKind;
  /** SQL of the values as text, and of those after the migration. The table is called {@link TABLE_ALIAS}. */
  readonly before: string;
  readonly after: string;
  /** True if rows without a value are read as well. */
  readonly withNulls: boolean;
  /** Additional columns to select with each value, from the same version. */
  readonly beside?: readonly string[];
  /** Conditions that every version read must meet. */
  readonly versions: readonly string[];
}

export const TABLE_ALIAS = 'v';

/** One value, and the version that holds it. */
export interface InspectedValue {
  readonly before: unknown;
  readonly after: unknown;
  readonly locale: unknown;
  readonly status: unknown;
  readonly row: SessionRow;
}

const BATCH_SIZE = 500;

const parse = (kind: ColumnKind, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  return kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
};

/** Reads a column of all versions as it is and as it would be, in batches. */
export async function readColumn(
  session: MigrationSession,
  { table, column, kind, before, after, withNulls, beside = [], versions }: InspectedColumn,
  onValue: (value: InspectedValue) => void,
): Promise<void> {
  const conditions = [
    'v."id" > $1',
    ...versions,
    ...(withNulls ? [] : [`v.${quoteName(column)} IS NOT NULL`]),
  ];
  const sql = joinClauses(
    `SELECT v."id", v."locale", v."status",`,
    [`${before} AS "before"`, `${after} AS "after"`, ...beside].join(', '),
    `FROM ${quoteName(table)} AS ${TABLE_ALIAS} WHERE ${conditions.join(' AND ')}`,
    `ORDER BY v."id" LIMIT ${BATCH_SIZE}`,
  );
  for (let last = 0; ;) {
    const rows = await session.query(sql, [last]);
    for (const row of rows) {
      const { before: old, after: next, locale, status } = row;
      onValue({ before: parse(kind, old), after: parse('json', next), locale, status, row });
    }
    if (rows.length < BATCH_SIZE) return;
    last = Number(rows.at(-1)?.['id']);
  }
}
