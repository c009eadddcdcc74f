import type { FieldValues, TableStatements } from '../../documents/rows/table-statements.js';
import type { Transaction } from '../../database/database.js';
import { chunksOf } from '../../lib/chunks.js';

/** Rows of one statement. More save little, and Prisma keeps the values of the last hundred statements. */
const STATEMENT_ROWS = 100;

/** Inserts rows of one table. */
export async function insertRows(
  tx: Transaction,
  table: TableStatements,
  rows: readonly FieldValues[],
): Promise<void> {
  for (const chunk of chunksOf(rows, Math.min(table.maxRows, STATEMENT_ROWS))) {
    const { sql, parameters } = table.insert(chunk);
    await tx.execute(sql, parameters);
  }
}
