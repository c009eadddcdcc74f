import { DatabaseError } from './database-error.js';

/**
 * Returns the result of `work`, or fails once the time is up. `work` goes on then.
 *
 * @param onExpiry called when the time is up
 * @throws DatabaseError `unreachable`, when the time is up
 */
export async function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  onExpiry: () => void = () => undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DatabaseError({ kind: 'unreachable' }, new Error(`No end after ${milliseconds} ms`)));
      onExpiry();
    }, milliseconds);
    timer.unref();
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
