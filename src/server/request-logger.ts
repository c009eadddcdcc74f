import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from './logger.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type LogArguments = readonly unknown[];
type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/** Creates its child logger when the first line is logged. */
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

  #child(): Logger {
    this.#logger ??= this.#parent.child(this.#bindings);
    return this.#logger;
  }

  #log(level: Level, args: LogArguments): void {
    if (!(this.#logger ?? this.#parent).isLevelEnabled(level)) return;
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
  const isPlain = Object.values(options ?? {}).every((value) => value === undefined);
  return isPlain ? new RequestLogger(parent, bindings) : parent.child(bindings, options);
}
