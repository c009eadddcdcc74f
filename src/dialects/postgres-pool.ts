import type { Pool } from 'pg';

const POOL = {
  max: 8,
  keepAlive: true,
  /** With a connection go the statements the server keeps prepared for it. */
  maxLifetimeSeconds: 1800,
  application_name: 'galley',
};

interface PoolOptions {
  /** Statements every connection begins with, like `SET jit = off`. */
  readonly settings: readonly string[];
  /** Milliseconds to wait for a connection that is free. */
  readonly patience: number;
}

export async function createPostgresPool(url: string, { settings, patience }: PoolOptions): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...POOL,
    connectionString: url,
    connectionTimeoutMillis: patience,
    onConnect: (client) => client.query(["SET TIME ZONE 'UTC'", ...settings].join('; ')),
  });
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}
