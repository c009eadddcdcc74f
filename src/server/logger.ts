import { destination, pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { LogLevel } from '../config/config.js';

export type { Logger } from 'pino';

const SECRET_KEYS = [
  'authorization', 'cookie', 'password', 'resetPasswordToken', 'confirmationToken', 'token', 'accessKey', 'keyHash', 'jwt',
  'jwtSecret', 'apiTokenSalt', 'secret', 'secrets', 'DATABASE_URL', 'JWT_SECRET', 'API_TOKEN_SALT',
];

/** Whatever is logged, down to three levels, loses what must not be read by those who read logs. */
const REDACTED = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

const STDERR = 2;

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Where lines go; stderr where nothing else is said. */
  readonly stream?: DestinationStream;
}

/**
 * Structured logs: one JSON object a line, secrets removed.
 *
 * @example createLogger({ level: config.logLevel }).info({ port }, 'listening')
 */
export function createLogger({ level, stream = destination({ fd: STDERR, sync: false }) }: LoggerOptions): Logger {
  return pino({ level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, redact: { paths: REDACTED, censor: '[removed]' } }, stream);
}
