import type { DatabaseObject } from '../dialect/database-object.js';
import type { AnalyzeTables } from '../dialect/database-driver.js';
import { quoteName } from '../dialect/sql-text.js';

/**
 * The number of rows that ANALYZE reads of each index. It is enough to distinguish status and locale, which
 * nearly all rows share, from values that few rows have.
 */
export const ANALYSIS_LIMIT = 10_000;

/**
 * Connections read the statistics with the schema. Without this table, which ANALYZE creates again, the
 * schema is another one, so that they all read them.
 */
const DROP_SAMPLES = 'DROP TABLE IF EXISTS sqlite_stat4';

const ANALYZE = `PRAGMA analysis_limit = ${ANALYSIS_LIMIT}; ${DROP_SAMPLES}; ANALYZE;`;

/**
 * The average number of rows for each value of an index, rebuilt after migrations. Without it, the planner
 * expects ten rows for each value of a first column, though a status has half of the table.
 */
export const SQLITE_STATISTICS: DatabaseObject = Object.freeze({
  name: 'statistics',
  requires: [],
  create: ANALYZE,
  drop: '',
  afterMigration: ANALYZE,
  parts: ['sqlite_stat1'],
});

export const analyzeSqliteTables: AnalyzeTables = async (tx, tables, rows) => {
  const known = await tx.query(
    `SELECT "tbl" AS "table", max(CAST("stat" AS INTEGER)) AS "rows" FROM sqlite_stat1 GROUP BY "tbl"`,
    [],
  );
  const rowsOf = new Map(known.map((row) => [row['table'], Number(row['rows'])]));
  const outdated = tables.filter((table) => (rowsOf.get(table) ?? 0) < rows);
  if (outdated.length === 0) return;
  await tx.execute(DROP_SAMPLES, []);
  for (const table of outdated) await tx.execute(`ANALYZE ${quoteName(table)}`, []);
};
