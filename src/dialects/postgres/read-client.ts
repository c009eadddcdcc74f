import type { Pool, PoolClient } from 'pg';
import { createError } from '../../errors/catalogue.js';
import type { Requester } from '../../lib/requester.js';

const ignore = (): void => undefined;

/**
 * Runs `work` on a connection of the pool, which is closed where the requester leaves meanwhile: the server
 * then ends its statement. Asking the server to cancel might hit the next one.
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
  let hasLeft = false;
  const stop = requester.onLeave(() => {
    hasLeft = true;
    release(true);
  });
  try {
    if (hasLeft) throw createError('request/abandoned');
    const result = await work(client);
    release(false);
    return result;
  } catch (error) {
    release(true);
    throw hasLeft ? createError('request/abandoned') : error;
  } finally {
    stop();
  }
}
