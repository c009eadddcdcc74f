import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TempProject } from './temp-project.js';

type Values = Readonly<Record<string, string | number | null>>;

const withDatabase = <T>({ root }: TempProject, work: (database: Database.Database) => T): T => {
  const database = new Database(join(root, 'data.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** Runs a statement without the server. */
export function runSql(site: TempProject, sql: string): void {
  withDatabase(site, (database) => void database.exec(sql));
}

/** Inserts a row without the server and returns its id. */
export function insertRow(site: TempProject, table: string, values: Values): number {
  const names = Object.keys(values);
  const columns = names.map((name) => `"${name}"`).join(', ');
  const placeholders = names.map(() => '?').join(', ');
  const sql = `INSERT INTO "${table}" (${columns}) VALUES (${placeholders})`;
  return withDatabase(site, (database) =>
    Number(database.prepare(sql).run(...Object.values(values)).lastInsertRowid),
  );
}

/** Inserts a document with one version without the server and returns the version's id. */
export function insertVersion(site: TempProject, table: string, documentId: string, values: Values): number {
  withDatabase(site, (database) =>
    database
      .prepare(`INSERT INTO "${table}_documents" (document_id) VALUES (?) ON CONFLICT DO NOTHING`)
      .run(documentId),
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
