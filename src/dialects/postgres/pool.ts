import type { Pool } from 'pg';

const POOL_OPTIONS = {
  max: 8,
  keepAlive: true,
  /** Limits the server's memory for the prepared statements of a connection. */
  maxLifetimeSeconds: 1800,
  application_name: 'galley',
};

interface PoolOptions {
  /** Statements that every connection runs first, such as `SET jit = off`. */
  readonly settings: readonly string[];
  /** Milliseconds to wait for a free connection. */
  readonly connectionTimeoutMs: number;
}

/** Creates a pool whose connections use UTC and the given settings. */
export async function createPostgresPool(
  url: string,
  { settings, connectionTimeoutMs }: PoolOptions,
): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...POOL_OPTIONS,
    connectionString: url,
    connectionTimeoutMillis: connectionTimeoutMs,
    onConnect: (client) => client.query(["SET TIME ZONE 'UTC'", ...settings].join('; ')),
  });
  // A lost idle connection is replaced. Without a listener, its error would end the process.
  pool.on('error', () => undefined);
  return pool;
}
