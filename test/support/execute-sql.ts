import pg from 'pg';
import { vi } from 'vitest';
import { openSqlite } from './sqlite.js';

/** Milliseconds to wait for other connections to end their transactions. */
const LOCK_TIMEOUT_MS = 10_000;

/** Waits without blocking the process, since a server in it could not end its transaction then. */
const executeSqlite = async (path: string, sql: string): Promise<void> => {
  const database = openSqlite(path, { mode: 'create', busyTimeoutMs: 0 });
  try {
    await vi.waitFor(() => database.exec('BEGIN IMMEDIATE'), { timeout: LOCK_TIMEOUT_MS });
    database.exec(`${sql}; COMMIT`);
  } finally {
    database.close();
  }
};

/** Runs statements on a database of either kind, in one transaction. */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('file:')) return executeSqlite(url.slice('file:'.length), sql);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
