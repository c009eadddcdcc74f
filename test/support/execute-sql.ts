import pg from 'pg';
import { openSqlite } from './sqlite.js';

/** Runs statements on a database of either kind. */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('file:')) {
    const database = openSqlite(url.slice('file:'.length), { mode: 'create' });
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
