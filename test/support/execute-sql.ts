import Database from 'better-sqlite3';
import pg from 'pg';

/** Runs statements on a database of either kind. */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('file:')) {
    const database = new Database(url.slice('file:'.length));
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
