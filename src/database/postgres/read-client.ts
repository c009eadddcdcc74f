import type { LazySignal } from '../../lib/lazy-signal.js';
import type { Pool, PoolClient } from 'pg';
import { createError } from '../../errors/catalogue.js';

/**
 * Milliseconds that a statement may still take when nobody waits for it any more. Most end sooner, which
 * costs less than another connection: that has to plan every statement anew.
 */
const GRACE = 100;

/**
 * Runs `work` on a connection of the pool, which is closed where the signal aborts and `work` takes much
 * longer: the server then ends its statement. Asking the server to cancel might hit the next one.
 *
 * @throws `request/abandoned` where the signal has aborted
 */
export async function withReadClient<T>(
  pool: Pool,
  signal: LazySignal | undefined,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const mayWait = pool.idleCount === 0;
  const client = await pool.connect();
  // The client may have left while all connections were in use.
  if (mayWait && signal?.().aborted === true) {
    client.release();
    throw createError('request/abandoned');
  }
  let isReleased = false;
  const release = (closes: boolean): void => {
    if (isReleased) return;
    isReleased = true;
    client.release(closes);
  };
  let isAbandoned = false;
  let deadline: NodeJS.Timeout | undefined;
  const abandon = (): void => {
    if (isReleased) return;
    isAbandoned = true;
    deadline = setTimeout(release, GRACE, true);
  };
  /** Most statements have ended before anybody has to look. */
  const watch = (): void => {
    const left = signal?.();
    if (left?.aborted === true) abandon();
    else left?.addEventListener('abort', abandon);
  };
  const watching = setTimeout(watch, GRACE);
  try {
    const result = await work(client);
    release(false);
    return result;
  } catch (error) {
    release(true);
    throw isAbandoned ? createError('request/abandoned') : error;
  } finally {
    clearTimeout(watching);
    clearTimeout(deadline);
  }
}
