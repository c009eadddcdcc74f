import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { memoizeWeakly } from '../lib/collections.js';
import type { Logger } from './logger.js';

export const REQUEST_ID_HEADER = 'x-request-id';

/**
 * Matches request ids that proxies and tracing tools send. Other text could forge log lines or inflate the
 * log.
 */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns the id that a client or proxy has given the request by its header, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers[REQUEST_ID_HEADER];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
}

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type LogArguments = readonly unknown[];
type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/** Returns a child logger that does not search for secrets. */
const unredacted = memoizeWeakly((logger: Logger): Logger => logger.child({}, { redact: [] }));

/** Fields of the log line about a finished request. None can hold a secret. */
export interface RequestFields {
  readonly method: string;
  readonly path: string;
  readonly operation: string | undefined;
  readonly status: number;
  readonly ms: number;
}

const MESSAGE = 'request';

/** Creates its child logger when the first line is logged that may hold secrets. */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: Logger;
  readonly #bindings: Bindings;
  #logger: Logger | null = null;

  constructor(parent: Logger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return (this.#logger ?? this.#parent).level;
  }

  set level(level: string) {
    this.#child().level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#child().child(bindings, options);
  }

  fatal(...args: LogArguments): void {
    this.#log('fatal', args);
  }

  error(...args: LogArguments): void {
    this.#log('error', args);
  }

  warn(...args: LogArguments): void {
    this.#log('warn', args);
  }

  info(...args: LogArguments): void {
    this.#log('info', args);
  }

  debug(...args: LogArguments): void {
    this.#log('debug', args);
  }

  trace(...args: LogArguments): void {
    this.#log('trace', args);
  }

  silent(): void {
    // Logs nothing, as Fastify requires of this method.
  }

  isEnabled(level: Level): boolean {
    return (this.#logger ?? this.#parent).isLevelEnabled(level);
  }

  /** Logs the line about the finished request. */
  logRequest(fields: RequestFields): void {
    // A logger that already exists may have another level than the parent.
    if (this.#logger !== null) this.#logger.info(fields, MESSAGE);
    else unredacted(this.#parent).info({ ...this.#bindings, ...fields }, MESSAGE);
  }

  #child(): Logger {
    this.#logger ??= this.#parent.child(this.#bindings);
    return this.#logger;
  }

  #log(level: Level, args: LogArguments): void {
    if (!this.isEnabled(level)) return;
    const logger = this.#child();
    Reflect.apply(logger[level], logger, args);
  }
}

/**
 * Creates the logger of one request. Pino removes secrets from the bindings when a child logger is created,
 * which takes longer than parsing a query. The child is therefore created at the first line that is logged.
 */
export function createRequestLogger(
  parent: Logger,
  bindings: Bindings,
  options?: ChildOptions,
): FastifyBaseLogger {
  for (const option in options) if (Object.hasOwn(options, option)) return parent.child(bindings, options);
  return new RequestLogger(parent, bindings);
}

/**
 * Logs one line about a finished request. Its fields are not searched for secrets, which takes longer than
 * reading a document. `describe` is called only if the line is printed.
 */
export function logRequest(logger: FastifyBaseLogger, describe: () => RequestFields): void {
  if (!(logger instanceof RequestLogger)) logger.info(describe(), MESSAGE);
  else if (logger.isEnabled('info')) logger.logRequest(describe());
}
