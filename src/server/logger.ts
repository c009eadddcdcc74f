import { destination, pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { LogLevel } from '../config/config.js';
import { findSource } from '../lib/source-location.js';
import { limitOutages } from './limit-outages.js';

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

export interface LoggerOptions {
  readonly level: LogLevel;
  /** The project's folder. Errors of its own code then tell their file and line in `err.at`. */
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
}: LoggerOptions): Logger {
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
