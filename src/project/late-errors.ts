import { hasErrorCode } from '../lib/error-code.js';
import { messageOf } from '../lib/source-location.js';
import type { Logger } from '../server/logger.js';

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(messageOf(thrown)));

/**
 * Logs promises that reject and that nothing awaits, such as one that `bootstrap` starts, instead of letting
 * Node.js end the process. Returns a function that stops it.
 */
export function logLateRejections(log: Logger, onRejection?: () => void): () => void {
  const listener = (reason: unknown): void => {
    log.error({ err: asError(reason) }, 'A promise that nothing awaits was rejected');
    onRejection?.();
  };
  process.on('unhandledRejection', listener);
  return () => void process.off('unhandledRejection', listener);
}

/** True if the terminal is gone, so that logging the error would fail with the same error again. */
const isTerminalGone = (error: unknown): boolean => hasErrorCode(error, 'EIO');

/**
 * Logs errors that nothing catches, such as one that a timer throws, instead of letting Node.js end the
 * process. Only for development: afterwards the state of the code that has thrown is unknown. Returns a
 * function that stops it.
 */
export function logUncaughtErrors(log: Logger): () => void {
  const listener = (error: unknown): void => {
    // Ends the process.
    if (isTerminalGone(error)) throw error;
    log.error({ err: asError(error) }, 'An error that nothing catches was thrown');
  };
  process.on('uncaughtException', listener);
  return () => void process.off('uncaughtException', listener);
}
