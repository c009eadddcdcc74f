import type { Database as SqliteDatabase } from 'better-sqlite3';
import type { ReadPlan } from '../../dialect/read-plan.js';
import type { BoundValue } from '../../dialect/sql-expressions.js';

/** A table. Subqueries have names in parentheses, or end with the letter that `orderedRows` adds. */
const SCAN = /^SCAN (?!\(|CONSTANT|.*VIRTUAL TABLE)\S+?\d(?: |$)/;
const SORT = 'USE TEMP B-TREE FOR ORDER BY';
/** Status and locale, which nearly all rows share. */
const UNSELECTIVE = /\((?:status=\?(?: AND locale=\?)?)\)$/;

interface PlanRow {
  readonly detail: string;
}

/** Returns how SQLite would run a read. */
export function explainSqliteRead(
  database: SqliteDatabase,
  sql: string,
  parameters: readonly BoundValue[],
): ReadPlan {
  const steps = database
    .prepare<unknown[], PlanRow>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(parameters)
    .map(({ detail }) => detail);
  const scans = steps.some((step) => SCAN.test(step));
  return {
    scans,
    sorts: steps.includes(SORT),
    filters: scans || steps.some((step) => UNSELECTIVE.test(step)),
  };
}
