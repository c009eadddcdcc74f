import { hasErrorCode, messageOf } from '../lib/caught-errors.js';
import type { Logger } from '../server/logger.js';

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(messageOf(thrown)));

/**
 * Logs unhandled promise rejections, such as of a promise that `bootstrap` does not await, instead of letting
 * Node.js end the process. Returns a function that stops it.
 */
export function logLateRejections(log: Logger, onRejection?: () => void): () => void {
  const listener = (reason: unknown): void => {
    log.error({ err: asError(reason) }, 'Unhandled promise rejection');
    onRejection?.();
  };
  process.on('unhandledRejection', listener);
  return () => void process.off('unhandledRejection', listener);
}

/** True if the terminal is closed, so that logging the error would fail with the same error. */
const isTerminalGone = (error: unknown): boolean => hasErrorCode(error, 'EIO');

/**
 * Logs uncaught errors, such as an error in a timer, instead of letting Node.js end the process. For
 * development only, since the state of the failed code is unknown afterwards. Returns a function that stops
 * it.
 */
export function logUncaughtErrors(log: Logger): () => void {
  const listener = (error: unknown): void => {
    // Ends the process.
    if (isTerminalGone(error)) throw error;
    log.error({ err: asError(error) }, 'Uncaught error');
  };
  process.on('uncaughtException', listener);
  return () => void process.off('uncaughtException', listener);
}
