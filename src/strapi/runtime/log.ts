import type { Logger } from '../../server/logger.js';

type LogMethod = (...values: readonly unknown[]) => void;
type LoggerMethod = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The names that Strapi's log has for its levels, and ours for them. */
const LEVELS = {
  error: 'error',
  warn: 'warn',
  info: 'info',
  http: 'info',
  verbose: 'debug',
  debug: 'debug',
  silly: 'trace',
} as const satisfies Readonly<Record<string, LoggerMethod>>;

/** Takes what Strapi's log takes: a text or an error first. Everything else is pino's own. */
export type Log = Logger &
  Readonly<Record<keyof typeof LEVELS, LogMethod>> & {
    /** Takes the level first, as the library of Strapi's log does. */
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
    // pino's own order: an object, then the text.
    else if (typeof first === 'object' && first !== null) logger[method](first, ...rest.map(String));
    else {
      const texts = [first, ...rest].filter((value) => typeof value !== 'object' || value === null);
      logger[method](Object.assign({}, ...rest.map(describe)), texts.map(String).join(' '));
    }
  };

/** Creates the log that project code knows as `strapi.log`. */
export function createLog(logger: Logger): Log {
  const methods = Object.fromEntries(
    Object.entries(LEVELS).map(([name, method]) => [name, createMethod(logger, method)]),
  );
  const log = (level: string, ...values: readonly unknown[]): void =>
    (methods[level] ?? createMethod(logger, 'info'))(...values);
  return Object.assign(Object.create(logger), methods, { log }) as Log;
}
