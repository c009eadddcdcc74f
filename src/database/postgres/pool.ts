import type { Pool } from 'pg';
import { defined } from '../../lib/defined.js';
import type { PoolUse } from '../../lib/pool-use.js';
import { detectSessionKind } from './session.js';
import type { SessionKind } from './session.js';

const POOL_OPTIONS = {
  max: 8,
  keepAlive: true,
  /** Limits the server's memory for the prepared statements of a connection. */
  maxLifetimeSeconds: 1800,
  application_name: 'galley',
};

interface PoolOptions {
  /** Statements that every connection runs first, such as `SET jit = off`, unless sessions are pooled. */
  readonly settings: readonly string[];
  /** Milliseconds to wait for a free connection. */
  readonly connectionTimeoutMs: number;
  /** Told when a connection that nobody uses is lost. */
  readonly onLost?: (() => void) | undefined;
}

interface OpenPool {
  readonly pool: Pool;
  readonly kind: SessionKind;
}

export const useOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolUse => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
});

/** Opens a pool whose connections use UTC, the schema of the URL, and the given settings. */
export async function openPostgresPool(
  url: string,
  { settings, connectionTimeoutMs, onLost = () => undefined }: PoolOptions,
): Promise<OpenPool> {
  const { default: pg } = await import('pg');
  let kind: SessionKind | undefined;
  const pool = new pg.Pool({
    ...POOL_OPTIONS,
    connectionString: url,
    connectionTimeoutMillis: connectionTimeoutMs,
    onConnect: async (client) => {
      kind ??= await detectSessionKind(client, url);
      if (!kind.isPooled) await client.query([...kind.settings, ...settings].join('; '));
    },
  });
  // A lost idle connection is replaced, and where one in use is lost, its query fails. Without listeners, the
  // errors would end the process.
  pool.on('error', () => onLost());
  pool.on('connect', (client) => void client.on('error', () => undefined));
  try {
    (await pool.connect()).release();
    return { pool, kind: defined(kind, 'What the sessions keep') };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
