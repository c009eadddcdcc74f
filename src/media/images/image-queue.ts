import { Mutex, withTimeout } from 'async-mutex';
import { createError } from '../../errors/catalogue.js';

const MAX_WAITING = 32;
const MAX_WAIT_MS = 30_000;

/** Images are processed one at a time, so that many of them take no more memory than one. */
export interface ImageQueue {
  /** @throws `upload/busy` if too much is waiting already, or for too long */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createImageQueue(maxWaiting = MAX_WAITING, maxWaitMs = MAX_WAIT_MS): ImageQueue {
  const mutex = withTimeout(new Mutex(), maxWaitMs, createError('upload/busy'));
  let pending = 0;
  return {
    run: async (work) => {
      // One of those pending is being processed.
      if (pending > maxWaiting) throw createError('upload/busy');
      pending += 1;
      try {
        return await mutex.runExclusive(work);
      } finally {
        pending -= 1;
      }
    },
  };
}
