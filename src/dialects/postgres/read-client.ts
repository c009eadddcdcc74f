import type { Pool, PoolClient } from 'pg';
import { createError } from '../../errors/catalogue.js';
import type { Requester } from '../../lib/requester.js';

const ignore = (): void => undefined;

/**
 * Milliseconds that a statement may still take when nobody waits for it any more. Most end sooner, which
 * costs less than another connection: that has to plan every statement anew.
 */
const GRACE = 100;

/**
 * Runs `work` on a connection of the pool, which is closed where the requester leaves and `work` takes much
 * longer: the server then ends its statement. Asking the server to cancel might hit the next one.
 *
 * @throws `request/abandoned` where the requester left
 */
export async function withReadClient<T>(
  pool: Pool,
  requester: Requester,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Where the connection is lost, the query fails, too. Without a listener, the event would end the process.
  client.on('error', ignore);
  let isReleased = false;
  const release = (closes: boolean): void => {
    if (isReleased) return;
    isReleased = true;
    if (!closes) client.off('error', ignore);
    client.release(closes);
  };
  let deadline: NodeJS.Timeout | undefined;
  const stop = requester.onLeave(() => {
    deadline = setTimeout(release, GRACE, true);
  });
  try {
    if (deadline !== undefined) {
      // They left while all connections were in use.
      release(false);
      throw createError('request/abandoned');
    }
    const result = await work(client);
    release(false);
    return result;
  } catch (error) {
    release(true);
    throw deadline === undefined ? error : createError('request/abandoned');
  } finally {
    stop();
    clearTimeout(deadline);
  }
}
