import type { Logger } from '../../server/logger.js';

type LogMethod = (...values: readonly unknown[]) => void;
type LoggerMethod = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The levels of Strapi's log with those of Galley. */
const LEVELS = {
  error: 'error',
  warn: 'warn',
  info: 'info',
  http: 'info',
  verbose: 'debug',
  debug: 'debug',
  silly: 'trace',
} as const satisfies Readonly<Record<string, LoggerMethod>>;

/**
 * A logger that accepts the arguments of Strapi's log: a text or an error first. Its other methods are
 * pino's.
 */
export type Log = Logger &
  Readonly<Record<keyof typeof LEVELS, LogMethod>> & {
    /** Logs with the level as the first argument, as the library of Strapi's log does. */
    readonly log: (level: string, ...values: readonly unknown[]) => void;
  };

const describe = (value: unknown): Readonly<Record<string, unknown>> => {
  if (value instanceof Error) return { err: value };
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

const createMethod =
  (logger: Logger, method: LoggerMethod): LogMethod =>
  (first, ...rest) => {
    if (first instanceof Error) logger[method]({ err: first }, first.message);
    // The order of pino: an object, then the text.
    else if (typeof first === 'object' && first !== null) logger[method](first, ...rest.map(String));
    else {
      const texts = [first, ...rest].filter((value) => typeof value !== 'object' || value === null);
      logger[method](Object.assign({}, ...rest.map(describe)), texts.map(String).join(' '));
    }
  };

/** Creates `strapi.log`. */
export function createLog(logger: Logger): Log {
  const methods = Object.fromEntries(
    Object.entries(LEVELS).map(([name, method]) => [name, createMethod(logger, method)]),
  );
  const log = (level: string, ...values: readonly unknown[]): void =>
    (methods[level] ?? createMethod(logger, 'info'))(...values);
  return Object.assign(Object.create(logger), methods, { log }) as Log;
}
