import type { Database } from './database.js';

/**
 * Has the planner look at those of the tables of which it knows fewer rows. Does nothing where the database
 * keeps no plans.
 */
export async function analyzeTables(
  database: Database,
  tables: readonly string[],
  rows: number,
): Promise<void> {
  const sql = database.dialect.driver.analyzeSql?.(tables, rows);
  if (sql !== undefined) await database.transact((tx) => tx.execute(sql, []));
}
