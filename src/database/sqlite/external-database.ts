import { quoteName } from '../dialect/sql-text.js';
import type { ExternalDatabase, ExternalRow, ExternalTable } from '../dialect/database-driver.js';
import { createPrivateFile, loadDriver, sqlitePath } from './driver.js';

type Database = import('better-sqlite3').Database;

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const readTables = (database: Database): ReadonlyMap<string, ExternalTable> => {
  const columns = database
    .prepare<unknown[], ColumnRow>(
      `SELECT m.name AS "table", c.name, lower(c.type) AS type FROM sqlite_master m
         JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    .all();
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of columns) {
    const known = tables.get(table) ?? new Map<string, string>();
    tables.set(table, known.set(name, type));
  }
  return tables;
};

/** Reads a copy of the file. Without WAL, a long transaction would block the database's writers. */
export async function openExternalSqlite(url: string, folder: string): Promise<ExternalDatabase> {
  const Database = await loadDriver();
  const path = sqlitePath(url);
  const copy = `${folder}/external.db`;
  const original = new Database(path, { readonly: true, fileMustExist: true });
  try {
    createPrivateFile(copy);
    await original.backup(copy);
  } finally {
    original.close();
  }
  const database = new Database(copy, { readonly: true });
  return {
    description: `the SQLite database ${quoteName(path)}`,
    tables: readTables(database),
    // Numbers beyond 2^53 keep all their digits as bigint.
    rows: async (sql) => database.prepare<unknown[], ExternalRow>(sql).safeIntegers().all(),
    close: async () => {
      database.close();
    },
  };
}
