import { quoteName } from '../dialect/sql-text.js';
import type { ExternalDatabase, ExternalRow, ExternalTable } from '../dialect/database-driver.js';
import { createPrivateFile, loadDriver, sqlitePath } from './driver.js';
import type { SqliteConnection } from './drivers/connection.js';

const readTables = (database: SqliteConnection): ReadonlyMap<string, ExternalTable> => {
  const columns = database
    .prepare(
      `SELECT m.name AS "table", c.name, lower(c.type) AS type FROM sqlite_master m
         JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    .rows();
  const tables = new Map<string, Map<string, string>>();
  for (const [table, name, type] of columns.map((row) => row.map(String) as [string, string, string])) {
    const known = tables.get(table) ?? new Map<string, string>();
    tables.set(table, known.set(name, type));
  }
  return tables;
};

const READ_ONLY = { mode: 'read' } as const;
/** Other processes can write between the steps. */
const PAGES_PER_STEP = 100;

/** Reads a copy of the file. Without WAL, a long transaction would block the database's writers. */
export async function openExternalSqlite(url: string, folder: string): Promise<ExternalDatabase> {
  const open = await loadDriver();
  const path = sqlitePath(url);
  const copy = `${folder}/external.db`;
  const original = open(path, READ_ONLY);
  try {
    createPrivateFile(copy);
    await original.backup(copy, PAGES_PER_STEP);
  } finally {
    original.close();
  }
  const database = open(copy, READ_ONLY);
  return {
    description: `the SQLite database ${quoteName(path)}`,
    tables: readTables(database),
    // Numbers beyond 2^53 keep all their digits as bigint.
    rows: async (sql) => database.prepare(sql, { bigints: true }).records() as readonly ExternalRow[],
    close: async () => {
      database.close();
    },
  };
}
