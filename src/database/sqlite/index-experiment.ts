import type { ReadPlan, IndexExperiment } from '../dialect/database-driver.js';
import type { BoundValue, SqlExpressions } from '../dialect/sql-expressions.js';
import { quoteName } from '../dialect/sql-text.js';
import { loadDriver, sqlitePath } from './driver.js';
import type { SqliteConnection } from './drivers/connection.js';
import { addUnlimitedFunctions } from './functions.js';
import { ANALYSIS_LIMIT, correctStatistics } from './objects.js';

/** A table. Subqueries have names in parentheses, or end with the letter that `orderedRows` adds. */
const SCAN = /^SCAN (?!\(|CONSTANT|.*VIRTUAL TABLE)\S+?\d(?: |$)/;
const SORT = 'USE TEMP B-TREE FOR ORDER BY';
/** Status and locale, which nearly all rows share. */
const UNSELECTIVE = /\((?:status=\?(?: AND locale=\?)?)\)$/;

/** Returns SQLite's plan of a read. */
function explainSqliteRead(
  database: SqliteConnection,
  sql: string,
  parameters: readonly BoundValue[],
): ReadPlan {
  const steps = database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .records(parameters)
    .map(({ detail }) => String(detail));
  const scans = steps.some((step) => SCAN.test(step));
  return {
    scans,
    sorts: steps.includes(SORT),
    filters: scans || steps.some((step) => UNSELECTIVE.test(step)),
  };
}

const INDEX = 'galley_trial';

/** Temporary tables hide those of the database. Their file is deleted when the connection closes. */
export async function openSqliteExperiment(
  url: string,
  expressions: SqlExpressions,
): Promise<IndexExperiment> {
  const open = await loadDriver();
  const database = open(sqlitePath(url), { mode: 'write' });
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA analysis_limit = ${ANALYSIS_LIMIT}`);
  addUnlimitedFunctions(database);
  const copySchema = (table: string): void => {
    const rows = database
      .prepare(
        `SELECT type, sql FROM main.sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL
           AND type IN ('table', 'index') ORDER BY type = 'table' DESC`,
      )
      .rows([table]);
    for (const [type, sql] of rows.map((row) => row.map(String) as [string, string])) {
      if (type === 'index') {
        database.exec(sql.replace(/^CREATE (UNIQUE )?INDEX "/, 'CREATE $1INDEX temp."'));
        continue;
      }
      database.exec(sql.replace(/^CREATE TABLE /, 'CREATE TEMP TABLE '));
      database.exec(`INSERT INTO temp.${quoteName(table)} SELECT * FROM main.${quoteName(table)}`);
    }
  };
  return {
    expressions,
    copyTable: async (table) => {
      database.exec('BEGIN');
      try {
        copySchema(table);
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
      database.exec(`COMMIT; ANALYZE temp; ${correctStatistics('temp')}`);
    },
    createIndex: async ({ table, columns }) => {
      const names = columns.map(({ name, isDescending }) => `"${name}"${isDescending ? ' DESC' : ''}`);
      database.exec(
        `CREATE INDEX temp.${INDEX} ON ${quoteName(table)} ("status", "locale", ${names.join(', ')}, "id");
         ANALYZE temp; ${correctStatistics('temp')}`,
      );
    },
    dropIndex: async () => {
      database.exec(`DROP INDEX IF EXISTS temp.${INDEX}`);
    },
    values: async (sql, parameters) => database.prepare(sql).values(parameters),
    explain: async (sql, parameters) => explainSqliteRead(database, sql, parameters),
    close: async () => {
      database.close();
    },
  };
}
