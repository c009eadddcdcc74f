import { join } from 'node:path';
import type { SqliteConnection } from '../../../src/database/sqlite/drivers/connection.js';
import { openSqlite } from '../../support/sqlite.js';
import type { TempProject } from './temp-project.js';

type Values = Readonly<Record<string, string | number | null>>;

const withDatabase = <T>({ root }: TempProject, work: (database: SqliteConnection) => T): T => {
  const database = openSqlite(join(root, 'data.db'), { mode: 'write' });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** Runs a statement without the server. */
export function runSql(site: TempProject, sql: string): void {
  withDatabase(site, (database) => database.exec(sql));
}

/** Inserts a row without the server and returns its id. */
export function insertRow(site: TempProject, table: string, values: Values): number {
  const names = Object.keys(values);
  const columns = names.map((name) => `"${name}"`).join(', ');
  const placeholders = names.map(() => '?').join(', ');
  const sql = `INSERT INTO "${table}" (${columns}) VALUES (${placeholders}) RETURNING rowid`;
  return withDatabase(site, (database) => Number(database.prepare(sql).values(Object.values(values))[0]));
}

/** Inserts a document with one version without the server and returns the version's id. */
export function insertVersion(site: TempProject, table: string, documentId: string, values: Values): number {
  withDatabase(site, (database) =>
    database
      .prepare(`INSERT INTO "${table}_documents" (document_id) VALUES (?) ON CONFLICT DO NOTHING`)
      .run([documentId]),
  );
  const time = '2026-01-01T00:00:00.000Z';
  return insertRow(site, table, {
    document_id: documentId,
    locale: '',
    status: 'published',
    created_at: time,
    updated_at: time,
    ...values,
  });
}
