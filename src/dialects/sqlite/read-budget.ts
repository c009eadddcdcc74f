import type { Database as SqliteDatabase } from 'better-sqlite3';
import { createError } from '../../errors/catalogue.js';

/** The SQL function through which a statement spends its budget. */
export const SQLITE_SPEND = 'galley_spend';

/** Adds {@link SQLITE_SPEND} to a connection. Returns a function that is called before each statement. */
export function addReadBudget(database: SqliteDatabase): () => void {
  let spent = 0;
  database.function(SQLITE_SPEND, { directOnly: true }, (cost: number, limit: number, branch: string) => {
    spent += cost;
    if (spent > limit) throw createError('request/too-many-records', { limit, branch });
    return 1;
  });
  return () => {
    spent = 0;
  };
}
