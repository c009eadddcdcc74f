import { destination, pino } from 'pino';
import type { DestinationStream, LogFn, Logger, LoggerOptions } from 'pino';
import type { LogLevel } from '../config/config.js';
import { toUnavailableError } from '../database/database-error.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isRecord } from '../lib/records.js';
import { findSource } from '../lib/caught-errors.js';

const INTERVAL_MS = 1000;

/** The message of the innermost cause, which is the most specific one. */
const reasonOf = (error: Error): string => {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message === '' ? String(Reflect.get(error, 'code')) : error.message;
};

/** Returns the error of a log line if it reports that a database or disk is unavailable, else null. */
const outageOf = (details: unknown): GalleyError | null => {
  const error = isRecord(details) ? details['err'] : null;
  if (isGalleyError(error)) return error.kind === 'unavailable' ? error : null;
  return toUnavailableError(error);
};

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * Creates the hook of a logger that prints outages of the database and of disks once a second, without a
 * stack, with the number of omitted lines. Printing each line would slow down a busy server.
 *
 * @param now for tests
 */
export function limitOutages(now: () => number = Date.now): LogMethod {
  const states = new Map<string, { readonly loggedAt: number; omitted: number }>();
  return function (this: ThisParameterType<LogMethod>, args, method: LogFn) {
    const outage = outageOf(args[0]);
    if (outage === null) return method.apply(this, args);
    const { code, message } = outage;
    const state = states.get(code);
    if (state !== undefined && now() - state.loggedAt < INTERVAL_MS) {
      state.omitted += 1;
      return;
    }
    states.set(code, { loggedAt: now(), omitted: 0 });
    const omitted = state?.omitted ?? 0;
    const details = { code, reason: reasonOf(outage), ...(omitted === 0 ? {} : { omitted }) };
    method.apply(this, [details, message]);
  };
}

export type { Logger } from 'pino';

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'resetPasswordToken',
  'confirmationToken',
  'token',
  'accessKey',
  'keyHash',
  'jwt',
  'jwtSecret',
  'apiTokenSalt',
  'secret',
  'secrets',
  'DATABASE_URL',
  'DIRECT_URL',
  'DATABASE_REPLICAS',
  'JWT_SECRET',
  'API_TOKEN_SALT',
];

/** Paths of secrets to remove from logged objects, up to three levels deep. */
const REDACTED = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

const STDERR = 2;

export interface LogOptions {
  readonly level: LogLevel;
  /** The project's folder. Errors from project code have file and line in `err.at`. */
  readonly root?: string;
  /** Receives the lines. Default: stderr. */
  readonly stream?: DestinationStream;
}

const serializeError = (root: string | undefined) => (error: Error) => {
  const at = root === undefined ? undefined : findSource(root, error);
  const serialized = pino.stdSerializers.err(error);
  return at === undefined ? serialized : { ...serialized, at };
};

/**
 * Creates a logger that prints one JSON object per line, without secrets.
 *
 * @example
 *   createLogger({ level: config.logLevel }).info({ port }, 'listening');
 */
export function createLogger({
  level,
  root,
  stream = destination({ fd: STDERR, sync: false }),
}: LogOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: serializeError(root) },
      redact: { paths: REDACTED, censor: '[removed]' },
      hooks: { logMethod: limitOutages() },
    },
    stream,
  );
}
